package io.counterkit.migration.internal.job;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a walk through names goes on.
 *
 * @param stage which part of the walk it is
 * @param cursor of the page; null for the first
 * @param done the name of the page up to which all are done; empty where there is none
 */
record Position(String stage, @Nullable String cursor, String done) {
    /** As a text of letters, digits and {@code . - * _ % + :}. */
    @Override
    public String toString() {
        return stage + ":" + encoded(cursor == null ? "" : cursor) + ":" + encoded(done);
    }

    /**
     * What {@link #toString()} said.
     *
     * @throws IllegalArgumentException if it did not
     */
    static Position parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw none(text);
        }
        return new Position(parts[0], parts[1].isEmpty() ? null : decoded(parts[1]), decoded(parts[2]));
    }

    static IllegalArgumentException none(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is no position that this version made: begin anew without one");
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}
