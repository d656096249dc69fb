package io.counterkit.firestore.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts names to document ids and back. A name that Firestore accepts is its own id; {@code /}, {@code %}, and the
 * first character of {@code .}, {@code ..} and {@code __x__} become {@code %} and two hexadecimal digits.
 */
public final class DocumentIds {
    /** The order of the store: by code points. Java's order is by UTF-16 code units. */
    static final Comparator<String> ORDER =
            (one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));

    private DocumentIds() {}

    /** The ids from {@code from} inclusive to {@code to} exclusive; null for no bound. */
    public record Range(@Nullable String from, @Nullable String to) {}

    /** Returns the document id of a name. */
    public static String of(String name) {
        String id = escaped(name);
        if (id.equals(".") || id.equals("..")) {
            return "%2E" + id.substring(1);
        }
        return isReserved(id) ? "%5F" + id.substring(1) : id;
    }

    /** Returns whether a text without slashes is a valid id: neither {@code .}, {@code ..} nor {@code __x__}. */
    public static boolean isPlain(String id) {
        return !id.equals(".") && !id.equals("..") && !isReserved(id);
    }

    /** Returns the name whose document has this id; null if the id belongs to no name. */
    public static @Nullable String nameOf(String id) {
        String name =
                id.replace("%2F", "/").replace("%2E", ".").replace("%5F", "_").replace("%25", "%");
        try {
            return of(Limits.checkName("name", name)).equals(id) ? name : null;
        } catch (IllegalArgumentException e) {
            return null; // a foreign document
        }
    }

    /** Returns the stored name of a field: the name itself, unless it is {@code __x__} or contains {@code %}. */
    public static String ofField(String name) {
        String field = name.replace("%", "%25");
        return isReserved(field) ? "%5F" + field.substring(1) : field;
    }

    /** Returns the name of a stored field. */
    public static String nameOfField(String field) {
        return field.replace("%5F", "_").replace("%25", "%");
    }

    /** Returns the ranges of the ids of all names with this prefix, ascending. */
    public static List<Range> startingWith(String prefix) {
        if (prefix.isEmpty()) {
            return List.of(new Range(null, null));
        }
        List<Range> ranges = new ArrayList<>();
        String id = escaped(prefix);
        if (id.equals("_") || id.startsWith("__")) {
            ranges.add(rangeOf("%5F" + id.substring(1)));
        } else if (id.equals(".") || id.equals("..")) {
            ranges.add(rangeOf("%2E" + id.substring(1)));
        }
        ranges.add(rangeOf(id));
        return ranges;
    }

    private static Range rangeOf(String start) {
        String end = successor(start);
        return new Range(asBound(start), end == null ? null : asBound(end));
    }

    /**
     * Returns the least text greater than all texts that start with {@code text}, by code points; null if there is
     * none.
     */
    private static @Nullable String successor(String text) {
        int end = text.length();
        while (end > 0) {
            int last = text.codePointBefore(end);
            end -= Character.charCount(last);
            if (last < Character.MAX_CODE_POINT) {
                int next = last + 1;
                if (next == '/') {
                    next++; // no id has a slash, and Firestore rejects one in a query
                } else if (next == Character.MIN_SURROGATE) {
                    next = Character.MAX_SURROGATE + 1;
                }
                return text.substring(0, end) + Character.toString(next);
            }
        }
        return null;
    }

    /** Returns a bound that Firestore accepts. CounterKit stores no id between a reserved one and the returned one. */
    private static String asBound(String id) {
        return id.equals(".") || id.equals("..") || isReserved(id) ? id + '\u0001' : id;
    }

    private static String escaped(String text) {
        return text.replace("%", "%25").replace("/", "%2F");
    }

    private static boolean isReserved(String id) {
        return id.length() >= 4 && id.startsWith("__") && id.endsWith("__");
    }
}
