package io.counterkit.examples.likes.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a form, or of the query of an address. */
record Form(Map<String, String> fields) {
    private static final Pattern CLICK = Pattern.compile("[A-Za-z0-9-]{8,64}");

    Form {
        fields = Map.copyOf(fields);
    }

    /**
     * Decodes a form.
     *
     * @throws BadRequestException if it is not form-encoded
     */
    static Form parse(@Nullable String encoded) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : encoded == null || encoded.isEmpty() ? new String[0] : encoded.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            fields.put(decode(name), equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return new Form(fields);
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("not form-encoded: " + encoded, e);
        }
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Returns the value of a field; empty if it is missing. */
    String text(String name) {
        return fields.getOrDefault(name, "");
    }

    /**
     * Returns the token that the page created for a click.
     *
     * @throws BadRequestException if it is missing
     */
    String click() {
        String click = text("click");
        if (!CLICK.matcher(click).matches()) {
            throw new BadRequestException("click '" + click + "': use 8 to 64 letters, digits or hyphens");
        }
        return click;
    }

    /**
     * Returns a whole number.
     *
     * @throws BadRequestException if it is not a number or is out of bounds
     */
    long number(String name, long least, long most) {
        String value = text(name);
        try {
            long number = Long.parseLong(value.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new BadRequestException(name + " '" + value + "': use a number", e);
        }
        throw new BadRequestException(name + " " + value + ": use " + least + " to " + most);
    }

    /** Thrown if a request is invalid; the message states the reason. */
    static final class BadRequestException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BadRequestException(String message) {
            super(message);
        }

        BadRequestException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
