package io.counterkit.firestore.internal.extension;

import com.google.cloud.firestore.FieldPath;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A field whose number the extension maintains: {@code visits}, or {@code stats.views} in a map. Its path is the same
 * in the application's document, in a shard, and in an update of a partial.
 *
 * @param text the name as clients of the extension write it
 * @param segments the parts between the dots
 */
public record CountedField(String text, List<String> segments) {
    /**
     * Returns the field of a name.
     *
     * @throws IllegalArgumentException if a client of the extension cannot write it, or if it contains a slash
     */
    public static CountedField of(String text) {
        List<String> segments = List.of(text.split("\\.", -1));
        for (String segment : segments) {
            if (segment.isEmpty() || segment.contains("/") || segment.matches("(?s)__.*__")) {
                throw new IllegalArgumentException("field '" + text
                        + "': use names without '/', joined by dots, like visits or stats.views, but not '__…__'");
            }
        }
        return new CountedField(text, segments);
    }

    FieldPath path() {
        return FieldPath.of(segments.toArray(String[]::new));
    }

    /** Returns the number in the field of a document or an update. */
    Amount in(Map<?, ?> data) {
        Object value = data;
        for (String segment : segments) {
            if (value == null) {
                return Amount.ABSENT;
            }
            if (!(value instanceof Map<?, ?> map)) {
                return Amount.invalid("a part of the field is " + Amount.shown(value) + ", not a map");
            }
            value = map.get(segment);
        }
        return Amount.of(value);
    }

    /** Adds the names of all fields with numbers to {@code names}. */
    static void numbersIn(Map<?, ?> data, String prefix, Collection<String> names) {
        data.forEach((key, value) -> {
            if (value instanceof Number) {
                names.add(prefix + key);
            } else if (value instanceof Map<?, ?> inner) {
                numbersIn(inner, prefix + key + ".", names);
            }
        });
    }
}
