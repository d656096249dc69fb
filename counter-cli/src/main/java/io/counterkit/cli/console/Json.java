package io.counterkit.cli.console;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A JSON object that is being made; {@link #toString()} is its text, in one line. */
public final class Json {
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    private Json() {}

    /** One without members. */
    public static Json object() {
        return new Json();
    }

    /** Adds a member: a text, a finite number, a boolean, null, another object or a collection of these. */
    public Json with(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    @Override
    public String toString() {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + text(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String text(@Nullable Object value) {
        if (value instanceof String string) {
            return quoted(string);
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
        }
        return String.valueOf(value);
    }

    /** A text as JSON has it, in quotes; what acts on a terminal or turns the writing around is escaped. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (isEscaped(Character.getType(c))) {
                // Escaped, a surrogate gets through any encoding, a lone one too.
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean isEscaped(int type) {
        return type == Character.CONTROL || type == Character.SURROGATE || type == Character.FORMAT;
    }
}
