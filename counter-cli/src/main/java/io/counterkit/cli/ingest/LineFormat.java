package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.cli.console.Excerpt;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the event of a line. The line has one character for each byte. */
@FunctionalInterface
interface LineFormat {
    /**
     * With {@code http://host} before the path, as in a request to a proxy, or without. A backslash escapes a quote.
     */
    Pattern REQUEST = Pattern.compile("] \"(?:[^ \"\\\\]++|\\\\[^ ])++ (?:[^ \"/:?#]+://[^ \"/?#]*(?=/))?"
            + "(?<path>(?:[^ \"?#\\\\]++|\\\\.)++)(?:[^\"\\\\]++|\\\\.)*+\" \\d{3}");

    /**
     * Returns the event of a line that is not empty.
     *
     * @throws IllegalArgumentException if there is none; the message says what is wrong with the line
     */
    Event read(String line);

    /**
     * What a line adds.
     *
     * @param name the name of the counter, with one character for each byte
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
     * <p>The request is in quotes after the date, and a status follows it; so logs with more columns before or after
     * are read too. The user's name stands before the date and can hold anything.
     */
    static Event accessLog(String line) {
        Matcher request = requestOf(line);
        if (!request.lookingAt()) {
            throw new IllegalArgumentException(
                    "no \"request\" with a path between a [date] and a status: '" + excerpt(line) + "'");
        }
        return new Event(request.group("path"), 1);
    }

    /** Returns whether {@link #accessLog} finds a path in a line. */
    static boolean isOfAccessLog(String line) {
        return requestOf(line).lookingAt();
    }

    private static Matcher requestOf(String line) {
        return REQUEST.matcher(line).region(Math.max(0, line.indexOf("] \"")), line.length());
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
