package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.cli.console.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Reads the event of a line, which has one character for each byte. */
@FunctionalInterface
interface LineFormat {
    /**
     * Returns the event of a line that is not empty.
     *
     * @throws IllegalArgumentException if there is none; the message says what is wrong with the line
     */
    Event read(String line);

    /**
     * What a line adds.
     *
     * @param name the counter; one character for each byte
     */
    record Event(String name, long delta) {}

    /** Reads {@code name}, or {@code name<TAB>delta}. */
    static Event plain(String line) {
        int tab = line.indexOf('\t');
        if (tab < 0) {
            return new Event(line, 1);
        }
        String delta = line.substring(tab + 1);
        try {
            return new Event(line.substring(0, tab), Long.parseLong(delta));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("delta '" + excerpt(delta) + "' is not a whole number within ±2^53", e);
        }
    }

    /**
     * Reads the path of a request in the common or the combined log format, not decoded, and without what follows
     * {@code ?} or {@code #}.
     *
     * <pre>{@code 192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] "GET /cart?id=7 HTTP/1.1" 200 2326}</pre>
     *
     * <p>The request is in quotes after the date, and a status follows it; so logs with more columns before or after are
     * read too. The user's name stands before the date and can hold anything.
     */
    static Event accessLog(String line) {
        int date = line.indexOf("] \"");
        int start = date + "] \"".length();
        int end = date < 0 ? -1 : closingQuote(line, start);
        if (end < 0) {
            throw malformed("no \"request\" in quotes after a [date]", line);
        }
        if (!isStatus(line, end + 1)) {
            throw malformed("no status after the request", line);
        }
        String request = line.substring(start, end);
        int space = request.indexOf(' ');
        if (space <= 0 || space + 1 == request.length()) {
            throw malformed("the request has no path", line);
        }
        int version = request.indexOf(' ', space + 1);
        return new Event(path(request.substring(space + 1, version < 0 ? request.length() : version)), 1);
    }

    /** Returns the index of the first quote without a backslash before it, or -1. */
    private static int closingQuote(String line, int from) {
        for (int i = from; i < line.length(); i++) {
            if (line.charAt(i) == '"') {
                return i;
            }
            if (line.charAt(i) == '\\') {
                i++;
            }
        }
        return -1;
    }

    private static boolean isStatus(String line, int from) {
        return line.length() - from >= 4
                && line.charAt(from) == ' '
                && isDigit(line.charAt(from + 1))
                && isDigit(line.charAt(from + 2))
                && isDigit(line.charAt(from + 3));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Returns the target without {@code http://host}, as in a request to a proxy, and without query and fragment. */
    private static String path(String target) {
        int colon = target.indexOf(':');
        boolean hasHost = !target.startsWith("/") && target.startsWith("://", colon);
        int from = Math.max(0, hasHost ? target.indexOf('/', colon + "://".length()) : 0);
        int to = from;
        while (to < target.length() && target.charAt(to) != '?' && target.charAt(to) != '#') {
            to++;
        }
        return target.substring(from, to);
    }

    private static IllegalArgumentException malformed(String why, String line) {
        return new IllegalArgumentException(why + ": '" + excerpt(line) + "'");
    }

    /**
     * Decodes a name.
     *
     * @throws IllegalArgumentException if it is not UTF-8
     */
    static String decode(String name) {
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(name.getBytes(ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("name '" + excerpt(name) + "' is not UTF-8", e);
        }
    }

    private static String excerpt(String bytes) {
        return Excerpt.of(new String(bytes.getBytes(ISO_8859_1), UTF_8));
    }
}
