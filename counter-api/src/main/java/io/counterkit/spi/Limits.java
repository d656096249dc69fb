package io.counterkit.spi;

import io.counterkit.IdempotencyToken;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of names, deltas, fields and times, and the checks of them. The API layer applies the checks before it
 * calls a backend; a backend's own methods that take a name apply them too.
 */
public final class Limits {
    /** The longest name of a counter, sequence, subject or field, in UTF-8 bytes. */
    public static final int MAX_NAME_BYTES = 400;

    /** The longest token, in UTF-8 bytes. */
    public static final int MAX_TOKEN_BYTES = 512;

    /**
     * The largest absolute delta of an add, and of merged adds together: 2<sup>53</sup>, up to which the numbers of
     * every store are exact.
     */
    public static final long MAX_DELTA = 1L << 53;

    /** The largest absolute total that a read returns: 2<sup>62</sup>. */
    public static final long MAX_TOTAL = 1L << 62;

    /** The largest last number that a sequence is imported with: 2<sup>62</sup>, so that its numbers do not run out. */
    public static final long MAX_IMPORTED_LAST = 1L << 62;

    /** The maximum number of fields of an entry. */
    public static final int MAX_FIELDS = 100;

    /**
     * The maximum size of an entry's fields, in bytes: names and texts in UTF-8, byte arrays, and 8 for any other
     * value.
     */
    public static final int MAX_FIELDS_BYTES = 32 * 1024;

    /** The maximum number of entries or names of one page. */
    public static final int MAX_PAGE = 1000;

    /** The shortest retention of tokens that a backend may be configured with. */
    public static final Duration MIN_RETENTION = Duration.ofHours(1);

    /** The longest retention of tokens that a backend may be configured with. */
    public static final Duration MAX_RETENTION = Duration.ofDays(3_650);

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int MAX_QUOTED = 60;

    private Limits() {}

    /**
     * Returns {@code name} if it is a valid name: 1 to 400 UTF-8 bytes without control characters and lone surrogates.
     *
     * @param what the noun for the message: "counter name"
     * @throws IllegalArgumentException otherwise
     */
    public static String checkName(String what, String name) {
        return checkText(what, name, MAX_NAME_BYTES);
    }

    /**
     * Returns {@code text} if it has 1 to {@code maxBytes} UTF-8 bytes, and no control characters or lone surrogates.
     *
     * @param what the noun for the message
     * @throws IllegalArgumentException otherwise
     */
    public static String checkText(String what, String text, int maxBytes) {
        Objects.requireNonNull(text, what);
        if (text.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty: use 1 to " + maxBytes + " UTF-8 bytes");
        }
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x7f) {
                bytes++;
                continue;
            }
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException(what + " '" + quoted(text) + "' has the control character " + hex(c)
                        + " at index " + i + ": remove it");
            }
            bytes += utf8Bytes(what, text, i);
        }
        if (bytes > maxBytes) {
            throw new IllegalArgumentException(what + " '" + quoted(text) + "' has " + bytes + " UTF-8 bytes: at most "
                    + maxBytes + " are allowed");
        }
        return text;
    }

    /**
     * Checks a cursor, for a backend whose cursor is the last name of a page. Any name is a place in the order of names.
     *
     * @param cursor the cursor, or null for the first page
     * @throws IllegalArgumentException if it cannot be a name
     */
    public static void checkCursor(@Nullable String cursor) {
        if (cursor == null) {
            return;
        }
        try {
            checkName("cursor", cursor);
        } catch (IllegalArgumentException e) {
            throw refusalOfCursor(cursor);
        }
    }

    /** Returns the failure of a page whose cursor does not come from this store. The caller gets it as it is. */
    public static InvalidCursorException refusalOfCursor(String cursor) {
        return new InvalidCursorException("cursor '" + quoted(cursor)
                + "' is not from a page of names: use the cursor of the previous page, or null for the first page");
    }

    /** States that a cursor does not come from a page of names. */
    public static final class InvalidCursorException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private InvalidCursorException(String message) {
            super(message);
        }
    }

    /**
     * Returns {@code delta} if it is within ±2<sup>53</sup>.
     *
     * @throws IllegalArgumentException otherwise
     */
    public static long checkDelta(long delta) {
        if (delta > MAX_DELTA || delta < -MAX_DELTA) {
            throw new IllegalArgumentException(
                    "delta " + delta + " is outside ±2^53 (" + MAX_DELTA + "): add it in several steps");
        }
        return delta;
    }

    /**
     * Returns {@code value} if it is from {@code least} to {@code most}.
     *
     * @param what the noun for the message
     * @throws IllegalArgumentException otherwise
     */
    public static int checkBetween(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " " + value + ": use " + least + " to " + most);
        }
        return value;
    }

    /**
     * Returns {@code value} if it is {@code least} or more.
     *
     * @param what the noun for the message
     * @throws IllegalArgumentException otherwise
     */
    public static int checkAtLeast(String what, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(what + " " + value + ": use " + least + " or more");
        }
        return value;
    }

    /**
     * Returns {@code duration} if it is from 1 ms to 1 day.
     *
     * @param what the noun for the message
     * @throws IllegalArgumentException otherwise
     */
    public static Duration checkDuration(String what, Duration duration) {
        if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " " + Durations.inWords(duration) + ": use 1 ms to 1 day");
        }
        return duration;
    }

    /**
     * Returns {@code retention} if it is from {@link #MIN_RETENTION} to {@link #MAX_RETENTION}.
     *
     * @param what the noun for the message
     * @throws IllegalArgumentException otherwise
     */
    public static Duration checkRetention(String what, Duration retention) {
        if (retention.compareTo(MIN_RETENTION) < 0 || retention.compareTo(MAX_RETENTION) > 0) {
            throw new IllegalArgumentException(what + " " + Durations.inWords(retention) + ": use "
                    + Durations.inWords(MIN_RETENTION) + " to " + MAX_RETENTION.toDays()
                    + " days; a repeated request must find its token");
        }
        return retention;
    }

    /**
     * Returns {@code deadline} if it is at most half of {@code retention}. After a call with an unknown outcome, at
     * least the other half remains to repeat the call or to resolve its token.
     *
     * @param deadline the time that one call may take
     * @param retention the time that the backend remembers a token
     * @throws IllegalArgumentException otherwise
     */
    public static Duration checkDeadline(Duration deadline, Duration retention) {
        Duration longest = retention.dividedBy(2);
        if (deadline.compareTo(longest) > 0) {
            throw new IllegalArgumentException("deadline " + Durations.inWords(deadline)
                    + " with a backend that remembers tokens for " + Durations.inWords(retention) + ": use at most "
                    + Durations.inWords(longest)
                    + ", or a longer retention; a request that is repeated after its deadline"
                    + " must find its token");
        }
        return deadline;
    }

    /**
     * Checks a caller's token for an operation that the backend itself offers.
     *
     * @throws IllegalArgumentException if it starts like a token that CounterKit generates
     */
    public static void checkCallersToken(IdempotencyToken token) {
        if (token.value().startsWith(Commit.TOKEN_PREFIX)) {
            throw new IllegalArgumentException("token '" + token + "' starts with '" + Commit.TOKEN_PREFIX
                    + "' like those that CounterKit generates: start it with something else");
        }
    }

    /** Returns the sum, or {@link Long#MAX_VALUE} or {@link Long#MIN_VALUE} if it is out of range. */
    public static long saturatedSum(long a, long b) {
        long sum = a + b;
        boolean overflows = ((a ^ sum) & (b ^ sum)) < 0;
        return overflows ? (b > 0 ? Long.MAX_VALUE : Long.MIN_VALUE) : sum;
    }

    /**
     * Returns the length of {@code text} in UTF-8.
     *
     * @throws IllegalArgumentException if it has a lone surrogate, which UTF-8 cannot encode
     */
    static int utf8Length(String what, String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += utf8Bytes(what, text, i);
        }
        return bytes;
    }

    /** Returns the UTF-8 bytes of one code unit. A surrogate pair counts 4 at its first half and 0 at its second. */
    private static int utf8Bytes(String what, String text, int i) {
        char c = text.charAt(i);
        if (c < 0x80) {
            return 1;
        }
        if (c < 0x800) {
            return 2;
        }
        if (!Character.isSurrogate(c)) {
            return 3;
        }
        if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
            return 4;
        }
        if (Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(text.charAt(i - 1))) {
            return 0;
        }
        throw new IllegalArgumentException(
                what + " has the lone surrogate " + hex(c) + " at index " + i + ": use whole surrogate pairs");
    }

    /** Returns the start of a text for a message, with control characters and surrogates in hexadecimal. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder();
        for (int i = 0; i < text.length() && i < MAX_QUOTED; i++) {
            char c = text.charAt(i);
            quoted.append(Character.isISOControl(c) || Character.isSurrogate(c) ? hex(c) : String.valueOf(c));
        }
        return text.length() > MAX_QUOTED ? quoted.append('…').toString() : quoted.toString();
    }

    private static String hex(char c) {
        return String.format("U+%04X", (int) c);
    }
}
