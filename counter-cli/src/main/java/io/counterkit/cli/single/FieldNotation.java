package io.counterkit.cli.single;

import io.counterkit.Entry;
import io.counterkit.cli.console.Excerpt;
import io.counterkit.cli.console.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads and writes fields as words of a command line: {@code customer=c-17}, {@code total:=1999}, {@code
 * note:="two\nlines"}. Reading the words that were written returns equal fields.
 */
final class FieldNotation {
    /** A name, plain or as a JSON string; the sign of a text or of another value; and the value. */
    private static final Pattern FIELD =
            Pattern.compile("(?s)(\"(?:[^\"\\\\]++|\\\\.)*+\"|(?!:=)[^\"=][^=]*?)(:?=)(.*)");

    private static final Pattern WHOLE = Pattern.compile("-?\\d+");
    private static final Pattern FLOATING = Pattern.compile("-?(\\d+(\\.\\d+)?([eE][+-]?\\d+)?|Infinity)|NaN");
    private static final Pattern TIME = Pattern.compile("-?\\d{4,}-.*");
    private static final String BYTES = "base64:";

    private FieldNotation() {}

    /**
     * Reads fields.
     *
     * @throws IllegalArgumentException if a word is not a field, or two fields have one name
     */
    static Map<String, Object> read(List<String> words) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String word : words) {
            Matcher field = FIELD.matcher(word);
            if (!field.matches()) {
                throw new IllegalArgumentException("'" + word + "' is not a field: use NAME=TEXT or NAME:=VALUE");
            }
            String name = word.startsWith("\"") ? Json.unquoted(field.group(1)) : field.group(1);
            String text = field.group(3);
            Object value = field.group(2).equals(":=") ? typed(name, text) : text;
            if (fields.put(name, value) != null) {
                throw new IllegalArgumentException("field '" + name + "' is given twice: name each field once");
            }
        }
        return fields;
    }

    private static Object typed(String name, String value) {
        try {
            if (value.startsWith("\"")) {
                return Json.unquoted(value);
            }
            if (value.startsWith(BYTES)) {
                return bytes(value.substring(BYTES.length()));
            }
            if (WHOLE.matcher(value).matches()) {
                return whole(value);
            }
            if (FLOATING.matcher(value).matches()) {
                return floating(value);
            }
            if (value.equals("true") || value.equals("false")) {
                return Boolean.valueOf(value);
            }
            if (TIME.matcher(value).matches()) {
                return Instant.parse(value);
            }
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IllegalArgumentException("field '" + name + "': '" + value + "': " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("field '" + name + "': '" + value
                + "' is not a number, true, false, time like 2026-01-31T09:30:00Z, bytes like base64:AQID or \"text\"; for"
                + " a plain text use " + name + "=" + value);
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("not base64", e);
        }
    }

    private static long whole(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("outside -2^63 to 2^63-1", e);
        }
    }

    private static double floating(String value) {
        double number = Double.parseDouble(value);
        if (Double.isInfinite(number) && !value.endsWith("Infinity")) {
            throw new IllegalArgumentException("too large for a floating-point number");
        }
        return number;
    }

    /** Returns the fields of an entry, by name. */
    static String show(Entry entry) {
        return new TreeMap<>(entry.fields())
                .entrySet().stream()
                        .map(field -> shownName(field.getKey()) + shownValue(field.getValue()))
                        .collect(Collectors.joining(" "));
    }

    /** Returns a subject, as a JSON string if it could be misread. */
    static String shownSubject(String subject) {
        return isPlain(subject) ? subject : Json.quoted(subject);
    }

    private static String shownName(String name) {
        return isPlain(name) && name.indexOf('=') < 0 && !name.endsWith(":") ? name : Json.quoted(name);
    }

    private static String shownValue(Object value) {
        if (value instanceof String text) {
            return isPlain(text) ? "=" + text : ":=" + Json.quoted(text);
        }
        return ":="
                + (value instanceof byte[] bytes ? BYTES + Base64.getEncoder().encodeToString(bytes) : value);
    }

    private static boolean isPlain(String text) {
        return !text.isEmpty() && text.codePoints().allMatch(FieldNotation::isPlain);
    }

    /** Returns whether a character needs no quotes. A space would end the field. */
    private static boolean isPlain(int c) {
        return c != '"'
                && Excerpt.isFit(c)
                && Character.getType(c) != Character.UNASSIGNED
                && !Character.isSpaceChar(c);
    }
}
