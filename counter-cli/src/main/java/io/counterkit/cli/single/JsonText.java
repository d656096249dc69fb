package io.counterkit.cli.single;

import java.util.HexFormat;

/** Reads JSON strings. */
final class JsonText {
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private JsonText() {}

    /** The index after the string that starts at {@code start}; the length of the text if it does not end. */
    static int end(String text, int start) {
        int i = start + 1;
        while (i < text.length() && text.charAt(i) != '"') {
            i += text.charAt(i) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), i + 1);
    }

    /**
     * What a string says.
     *
     * @throws IllegalArgumentException if {@code text} is not one JSON string and nothing else
     */
    static String read(String text) {
        StringBuilder read = new StringBuilder();
        int i = 1;
        while (i < text.length() - 1 && text.charAt(i) != '"') {
            char c = text.charAt(i);
            if (c != '\\') {
                read.append(c);
                i++;
            } else if (text.charAt(i + 1) == 'u') {
                read.append((char) hex(text, i + 2));
                i += 6;
            } else {
                read.append(escaped(text, text.charAt(i + 1)));
                i += 2;
            }
        }
        if (text.length() < 2 || i != text.length() - 1 || text.charAt(i) != '"') {
            throw none(text);
        }
        return read.toString();
    }

    private static char escaped(String text, char c) {
        int escape = ESCAPES.indexOf(c);
        if (escape < 0) {
            throw none(text);
        }
        return ESCAPED.charAt(escape);
    }

    private static int hex(String text, int from) {
        try {
            return HexFormat.fromHexDigits(text, from, from + 4);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw none(text);
        }
    }

    private static IllegalArgumentException none(String text) {
        return new IllegalArgumentException("'" + text + "' is no JSON string");
    }
}
