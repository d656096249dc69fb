package io.counterkit.verification.tables;

import io.counterkit.NamePage;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries for names by prefix. */
final class TableNames {
    private TableNames() {}

    /** Returns one page of names, which are in order. */
    static NamePage page(Tables tables, Stream<String> names, String prefix, @Nullable String cursor, int limit) {
        if (tables.has(Mistake.EMPTY_PREFIX_LISTS_NOTHING) && prefix.isEmpty()) {
            return new NamePage(List.of(), null);
        }
        List<String> found = names.filter(name -> name.startsWith(prefix))
                .filter(name -> cursor == null || name.compareTo(cursor) > 0)
                .limit(limit + 1L)
                .toList();
        return found.size() <= limit
                ? new NamePage(found, null)
                : new NamePage(found.subList(0, limit), found.get(limit - 1));
    }

    static boolean matchesTop(Tables tables, String name, String prefix) {
        if (tables.has(Mistake.TOP_PREFIX_IS_A_PATTERN)) {
            StringBuilder pattern = new StringBuilder();
            prefix.chars()
                    .forEach(c -> pattern.append(
                            c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(Character.toString((char) c))));
            return Pattern.compile(pattern + ".*", Pattern.DOTALL).matcher(name).matches();
        }
        return tables.has(Mistake.TOP_PREFIX_IGNORES_CASE)
                ? name.toLowerCase(Locale.ROOT).startsWith(prefix.toLowerCase(Locale.ROOT))
                : name.startsWith(prefix);
    }
}
