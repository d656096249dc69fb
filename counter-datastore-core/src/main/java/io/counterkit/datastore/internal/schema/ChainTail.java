package io.counterkit.datastore.internal.schema;

import io.counterkit.Seal;
import io.counterkit.spi.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The tail of a chain: its newest entry, and its seal if it has one.
 *
 * @param number the number of the newest entry; 0 for an empty chain
 * @param value the total of a counter, or the live count of a sequence
 * @param isOverflown whether the total has exceeded the range of a long, and is unknown until a reset
 * @param isAbsent whether a counter does not exist or was deleted, or a sequence has no entries
 * @param token the token of the newest entry; null if there is none
 * @param sealEntry the seal, or null
 */
public record ChainTail(
        long number,
        long value,
        boolean isOverflown,
        boolean isAbsent,
        @Nullable String token,
        @Nullable ChainEntry sealEntry) {
    /** Returns the tail with this newest entry, which is null for an empty chain. */
    public static ChainTail of(@Nullable ChainEntry newest, @Nullable ChainEntry sealEntry) {
        return newest == null
                ? new ChainTail(0, 0, false, true, null, sealEntry)
                : new ChainTail(
                        newest.number(),
                        newest.value(),
                        newest.isOverflown(),
                        newest.isDeletion(),
                        newest.token(),
                        sealEntry);
    }

    /** Returns the seal, or null. */
    public @Nullable Seal seal() {
        return sealEntry == null ? null : sealEntry.seal();
    }

    /** Returns the tail after one more entry that changes the value by {@code delta}. */
    public ChainTail plus(long delta) {
        long sum = Limits.saturatedSum(value, delta);
        return next(sum, isOverflown || sum != value + delta);
    }

    /** Returns the tail after one more entry that sets the value. */
    public ChainTail plusSetTo(long newValue) {
        return next(newValue, false);
    }

    private ChainTail next(long newValue, boolean overflows) {
        return new ChainTail(number + 1, newValue, overflows, false, null, sealEntry);
    }
}
