package io.counterkit.inmemory;

import io.counterkit.NamePage;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages of names in their natural order; the cursor is the last name of the page before. */
final class Pages {
    private Pages() {}

    static NamePage of(Collection<String> sortedNames, String prefix, @Nullable String cursor, int limit) {
        List<String> names = sortedNames.stream()
                .filter(name -> name.startsWith(prefix) && (cursor == null || name.compareTo(cursor) > 0))
                .limit(limit + 1L)
                .toList();
        return names.size() <= limit
                ? new NamePage(names, null)
                : new NamePage(names.subList(0, limit), names.get(limit - 1));
    }
}
