package io.counterkit.examples.likes.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request and the way to answer it. */
final class Request {
    private static final int MAX_BODY_BYTES = 8192;
    private static final Pattern CLICK = Pattern.compile("[A-Za-z0-9-]{8,64}");

    private final HttpExchange exchange;

    Request(HttpExchange exchange) {
        this.exchange = exchange;
    }

    String method() {
        return exchange.getRequestMethod();
    }

    String path() {
        return exchange.getRequestURI().getPath();
    }

    boolean wantsJson() {
        return header("Accept").contains("application/json");
    }

    /** Whether a page of this server sent it; a browser says where a form came from. */
    boolean isFromHere() {
        String origin = header("Origin");
        return origin.isEmpty() || header("Host").equals(URI.create(origin).getRawAuthority());
    }

    private String header(String name) {
        String value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    Map<String, String> query() {
        return parse(exchange.getRequestURI().getRawQuery());
    }

    /**
     * @throws BadRequestException if it is too long
     */
    Map<String, String> form() throws IOException {
        try (InputStream body = exchange.getRequestBody()) {
            byte[] read = body.readNBytes(MAX_BODY_BYTES + 1);
            if (read.length > MAX_BODY_BYTES) {
                throw new BadRequestException("a form of more than " + MAX_BODY_BYTES + " bytes");
            }
            return parse(new String(read, StandardCharsets.UTF_8));
        }
    }

    private static Map<String, String> parse(@Nullable String encoded) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : encoded == null || encoded.isEmpty() ? new String[0] : encoded.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            fields.put(decode(name), equals < 0 ? "" : decode(pair.substring(equals + 1)));
        }
        return fields;
    }

    private static String decode(String encoded) {
        try {
            return URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException("not form-encoded: " + encoded, e);
        }
    }

    /**
     * The token that the page made for a click.
     *
     * @throws BadRequestException if there is none
     */
    static String click(Map<String, String> fields) {
        String click = fields.getOrDefault("click", "");
        if (!CLICK.matcher(click).matches()) {
            throw new BadRequestException("click '" + click + "': use 8 to 64 letters, digits or hyphens");
        }
        return click;
    }

    /**
     * A whole number from a form or a query.
     *
     * @throws BadRequestException if it is none or out of bounds
     */
    static long number(Map<String, String> fields, String name, long least, long most) {
        String value = fields.getOrDefault(name, "");
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

    void reply(int status, String contentType, byte[] body) throws IOException {
        try (exchange) {
            headers(contentType);
            boolean hasBody = !method().equals("HEAD");
            exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    void reply(int status, String contentType, String body) throws IOException {
        reply(status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the browser elsewhere with a GET, so that a reload repeats nothing. */
    void redirect(String location) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(303, -1);
        }
    }

    /** Begins an answer without an end. */
    OutputStream stream(String contentType) throws IOException {
        headers(contentType);
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    void close() {
        exchange.close();
    }

    private void headers(String contentType) {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.getResponseHeaders().set("Referrer-Policy", "same-origin");
        exchange.getResponseHeaders()
                .set(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self';"
                                + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
    }

    /** What was asked makes no sense; the message says why. */
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
