package io.counterkit.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON, strictly, so that what is written is known to be some. */
final class ParsedJson {
    private final String text;
    private int at;

    private ParsedJson(String text) {
        this.text = text;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) {
        ParsedJson json = new ParsedJson(text.strip());
        Object value = json.value();
        if (json.at != json.text.length()) {
            throw new IllegalArgumentException("more text at " + json.at + ": " + text);
        }
        return (Map<String, Object>) value;
    }

    private @Nullable Object value() {
        return switch (text.charAt(at)) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (expect('{'); text.charAt(at) != '}'; separate('}')) {
            String name = string();
            expect(':');
            members.put(name, value());
        }
        expect('}');
        return members;
    }

    private List<@Nullable Object> elements() {
        List<@Nullable Object> elements = new ArrayList<>();
        for (expect('['); text.charAt(at) != ']'; separate(']')) {
            elements.add(value());
        }
        expect(']');
        return elements;
    }

    private void separate(char end) {
        if (text.charAt(at) != end) {
            expect(',');
        }
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (expect('"'); text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c < 0x20) {
                throw new IllegalArgumentException("control character at " + at + ": " + text);
            }
            string.append(c == '\\' ? escaped() : c);
        }
        expect('"');
        return string.toString();
    }

    private char escaped() {
        at++;
        if (text.charAt(at) == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        if ("\"\\".indexOf(text.charAt(at)) < 0) {
            throw new IllegalArgumentException("unexpected escape at " + at + ": " + text);
        }
        return text.charAt(at);
    }

    private Object number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        if (number.matches("-?\\d+")) {
            return Long.parseLong(number);
        }
        return Double.parseDouble(number);
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("no value at " + at + ": " + text);
        }
        at += word.length();
        return value;
    }

    private void expect(char c) {
        if (text.charAt(at) != c) {
            throw new IllegalArgumentException("no " + c + " at " + at + ": " + text);
        }
        at++;
    }
}
