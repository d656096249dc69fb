package io.counterkit.firestore.internal.extension;

import io.counterkit.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The number in a field of the extension. Clients on Android and iOS write whole numbers as floating-point numbers, so
 * these are accepted too. Null is 0, as for the extension's clients.
 *
 * @param isPresent whether there is a value
 * @param value the number; 0 if there is none
 * @param problem why the value cannot be counted; null if it can
 */
record Amount(boolean isPresent, long value, @Nullable String problem) {
    static final Amount ABSENT = new Amount(false, 0, null);

    static Amount of(@Nullable Object value) {
        if (value == null) {
            return ABSENT;
        }
        if (value instanceof Long number && number >= -Limits.MAX_TOTAL && number <= Limits.MAX_TOTAL) {
            return new Amount(true, number, null);
        }
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) <= Limits.MAX_DELTA) {
            return new Amount(true, number.longValue(), null);
        }
        return invalid("it holds " + shown(value) + ", which is not a whole number within the bounds of a counter");
    }

    static Amount invalid(String problem) {
        return new Amount(true, 0, problem);
    }

    /** Returns the value for messages, shortened to 60 characters. */
    static String shown(Object value) {
        String text = value instanceof String string ? "the text '" + string + "'" : value.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    Amount plus(Amount other) {
        if (problem != null || !other.isPresent) {
            return this;
        }
        if (other.problem != null || !isPresent) {
            return other;
        }
        return new Amount(true, Limits.saturatedSum(value, other.value), null);
    }
}
