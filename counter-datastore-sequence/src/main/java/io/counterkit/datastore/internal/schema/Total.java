package io.counterkit.datastore.internal.schema;

/**
 * The total of a counter.
 *
 * @param value the total; the largest or smallest long if overflown
 * @param overflown whether it was once larger than the store holds: it is not known until a reset
 */
public record Total(long value, boolean overflown) {
    public static final Total ZERO = new Total(0, false);

    public Total plus(long delta) {
        long sum = value + delta;
        boolean wraps = ((value ^ sum) & (delta ^ sum)) < 0;
        return wraps || overflown
                ? new Total(delta < 0 ? Long.MIN_VALUE : Long.MAX_VALUE, true)
                : new Total(sum, false);
    }
}
