package io.counterkit.jdbc.internal.store;

import io.counterkit.NamePage;
import io.counterkit.jdbc.internal.sql.Session;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists names by a literal prefix, as a range of the key: a pattern may ignore case, and scan all names. */
final class Listing {
    private Listing() {}

    /** Builds the query of a page. */
    interface Query {
        String of(boolean hasEnd, boolean isAfter);
    }

    static NamePage page(Session session, Query query, String prefix, @Nullable String cursor, int limit)
            throws SQLException {
        List<Object> parameters = range(prefix);
        boolean hasEnd = parameters.size() > 1;
        boolean isAfter = cursor != null && Arrays.compareUnsigned(utf8(cursor), utf8(prefix)) >= 0;
        if (cursor != null && isAfter) {
            parameters.set(0, cursor);
        }
        parameters.add((long) limit + 1);
        List<String> names = session.query(query.of(hasEnd, isAfter), row -> row.getString(1), parameters.toArray());
        return names.size() <= limit
                ? new NamePage(names, null)
                : new NamePage(names.subList(0, limit), names.get(limit - 1));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the first name with a prefix, and the first one after all of them, if there is one. */
    static List<Object> range(String prefix) {
        List<Object> range = new ArrayList<>();
        range.add(prefix);
        String end = end(prefix);
        if (end != null) {
            range.add(end);
        }
        return range;
    }

    /** Returns the prefix with its last character replaced by the next one; null if there is none. */
    static @Nullable String end(String prefix) {
        for (int length = prefix.length(); length > 0; ) {
            int last = prefix.codePointBefore(length);
            length -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
                return prefix.substring(0, length) + Character.toString(next);
            }
        }
        return null;
    }
}
