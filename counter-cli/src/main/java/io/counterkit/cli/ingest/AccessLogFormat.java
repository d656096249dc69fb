package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Excerpt;

/**
 * The path of a request in the common and the combined log format, as servers write it: not decoded, without what
 * follows {@code ?} or {@code #}.
 *
 * <pre>{@code 192.0.2.7 - - [10/Oct/2025:13:55:36 +0000] "GET /cart?id=7 HTTP/1.1" 200 2326}</pre>
 *
 * <p>Only what leads to the path is looked at: the request is in the quotes after the date, and a status follows it. So
 * logs with more columns before or after are read too. The user's name stands before the date and could hold anything.
 */
final class AccessLogFormat implements LineFormat {
    @Override
    public void read(byte[] bytes, int from, int to, Event event) {
        int request = endOfDate(bytes, from, to);
        int end = closingQuote(bytes, request, to);
        if (request < 0 || end < 0) {
            throw malformed("no \"request\" in quotes after a [date]", bytes, from, to);
        }
        if (!isStatus(bytes, end + 1, to)) {
            throw malformed("no status after the request", bytes, from, to);
        }
        int space = indexOf(bytes, ' ', request, end);
        if (space <= request || space + 1 == end) {
            throw malformed("the request has no path", bytes, from, to);
        }
        int version = indexOf(bytes, ' ', space + 1, end);
        int endOfTarget = version < 0 ? end : version;
        int path = path(bytes, space + 1, endOfTarget);
        event.set(path, endOfPath(bytes, path, endOfTarget), 1);
    }

    /** The index after {@code ] "}, or -1. */
    private static int endOfDate(byte[] bytes, int from, int to) {
        for (int i = from; i + 2 < to; i++) {
            if (bytes[i] == ']' && bytes[i + 1] == ' ' && bytes[i + 2] == '"') {
                return i + 3;
            }
        }
        return -1;
    }

    /** The index of the quote that no backslash takes the meaning from, or -1. */
    private static int closingQuote(byte[] bytes, int from, int to) {
        for (int i = from; from >= 0 && i < to; i++) {
            if (bytes[i] == '"') {
                return i;
            }
            if (bytes[i] == '\\') {
                i++;
            }
        }
        return -1;
    }

    private static boolean isStatus(byte[] bytes, int from, int to) {
        return to - from >= 4
                && bytes[from] == ' '
                && isDigit(bytes[from + 1])
                && isDigit(bytes[from + 2])
                && isDigit(bytes[from + 3]);
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Where the path starts: after {@code http://host} where a proxy was asked. */
    private static int path(byte[] bytes, int from, int end) {
        int colon = indexOf(bytes, ':', from, end);
        if (bytes[from] == '/' || colon < 0 || colon + 2 >= end || bytes[colon + 1] != '/' || bytes[colon + 2] != '/') {
            return from;
        }
        int slash = indexOf(bytes, '/', colon + 3, end);
        return slash < 0 ? from : slash;
    }

    /** Where it ends: before the query or the fragment. */
    private static int endOfPath(byte[] bytes, int from, int end) {
        int i = from;
        while (i < end && bytes[i] != '?' && bytes[i] != '#') {
            i++;
        }
        return i;
    }

    private static int indexOf(byte[] bytes, char wanted, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalArgumentException malformed(String why, byte[] bytes, int from, int to) {
        return new IllegalArgumentException(why + ": '" + Excerpt.of(bytes, from, to) + "'");
    }
}
