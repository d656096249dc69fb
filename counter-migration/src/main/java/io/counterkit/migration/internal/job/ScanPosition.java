package io.counterkit.migration.internal.job;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The position where a scan of names stopped.
 *
 * @param stage the part of the scan
 * @param cursor the cursor of the page; null for the first
 * @param done the last name of the page that is done; empty if none is
 * @param begun a later name of which only a part is done; empty if there is none
 * @param entries the number up to which the entries of that name are done; 0 if there is none
 */
record ScanPosition(String stage, @Nullable String cursor, String done, String begun, long entries) {
    static ScanPosition startOf(String stage) {
        return atPage(stage, null);
    }

    static ScanPosition atPage(String stage, @Nullable String cursor) {
        return new ScanPosition(stage, cursor, "", "", 0);
    }

    /** Returns the number up to which the entries of a name are done. */
    long entriesOf(String name) {
        return name.equals(begun) ? entries : 0;
    }

    /** Returns a text of letters, digits and {@code . - * _ % + :}. */
    @Override
    public String toString() {
        String names = stage + ":" + encode(cursor == null ? "" : cursor) + ":" + encode(done);
        return entries == 0 ? names : names + ":" + encode(begun) + ":" + entries;
    }

    /**
     * Parses the text that {@link #toString()} returned.
     *
     * @param stages the parts that a scan has
     * @throws IllegalArgumentException if {@code text} is not a position
     */
    static ScanPosition parse(String text, List<String> stages) {
        String[] parts = text.split(":", -1);
        boolean hasBegun = parts.length == 5 && parts[4].matches("\\d{1,18}");
        if ((parts.length == 3 || hasBegun) && stages.contains(parts[0])) {
            try {
                return new ScanPosition(
                        parts[0],
                        parts[1].isEmpty() ? null : decode(parts[1]),
                        decode(parts[2]),
                        hasBegun ? decode(parts[3]) : "",
                        hasBegun ? Long.parseLong(parts[4]) : 0);
            } catch (IllegalArgumentException e) {
                throw invalid(text, e);
            }
        }
        throw invalid(text, null);
    }

    private static IllegalArgumentException invalid(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + text + "' is not a position of this version: start without a position", cause);
    }

    private static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }

    private static String decode(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
