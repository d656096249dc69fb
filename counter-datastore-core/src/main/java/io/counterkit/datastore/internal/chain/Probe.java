package io.counterkit.datastore.internal.chain;

import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Searches for the last number of one chain between the highest number known to exist and the lowest one known to be
 * missing. Numbers have no gaps, so an existing number proves all smaller ones, and a missing number excludes all
 * larger ones. The caller reads the numbers of {@link #next} and passes the entries to {@link #accept}, until {@code
 * next} returns none.
 *
 * <p>Gaps exist only before the end of an import, if entries are not copied. There number 1 always exists, and every
 * existing place states where the import ends. So a missing number before that end proves nothing.
 *
 * <p>The result was the tail of the chain at one moment since the first read. Its run existed when the run was read,
 * and the next number did not exist when that number was read. A number in the middle of a run is not the tail, since
 * the rest of the run exists too.
 */
final class Probe {
    /** The distances of the first search upwards are the powers of two below this exponent; later ones start there. */
    private static final int NEAR = 21;

    /** The distances of later searches are the powers of two below this exponent. */
    private static final int FAR = 41;

    /** Into how many parts a search between two numbers divides their distance. */
    private static final int PARTS = 32;

    private final ChainName chain;
    private long low;
    private long high = Long.MAX_VALUE;
    private boolean isHint;
    private boolean isFar;
    private @Nullable ChainEntry lowEntry;
    private @Nullable ChainEntry seal;

    /** @param low a number that exists, or 0 */
    Probe(ChainName chain, long low) {
        this.chain = chain;
        this.low = low;
        this.isHint = low > 0;
    }

    /** Returns the numbers to read next; empty when the tail is found. */
    List<Long> next() {
        if (isHint) {
            return List.of(low, low + 1);
        }
        List<Long> numbers = new ArrayList<>(low > 0 && lowEntry == null ? List.of(low) : List.of());
        if (high == Long.MAX_VALUE) {
            for (int power = isFar ? NEAR : 0; power < (isFar ? FAR : NEAR); power++) {
                numbers.add(low + (1L << power));
            }
        } else {
            long step = Math.max(1, (high - low) / PARTS);
            for (long number = low + step; number < high; number += step) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /**
     * Accepts the entries of the numbers that {@link #next} returned. {@code found} returns null for a missing number.
     */
    void accept(List<Long> numbers, LongFunction<@Nullable ChainEntry> found) {
        isFar |= !isHint && high == Long.MAX_VALUE;
        isHint = false;
        @Nullable ChainEntry farthest = null; // the entry whose run ends last
        for (long number : numbers) {
            ChainEntry entry = found.apply(number);
            if (entry == null && farthest != null && number <= farthest.runEnd()) {
                continue; // created since then, or not copied
            }
            if (entry == null && number <= low) {
                throw ChainEntry.missing(chain, number);
            }
            if (entry == null) {
                high = Math.min(high, number);
                break;
            }
            if (entry.seal() != null) {
                seal = entry;
                high = number;
                raise(number - 1, null);
                return;
            }
            raise(number, entry);
            farthest = farthest == null || entry.runEnd() > farthest.runEnd() ? entry : farthest;
        }
        if (farthest != null && farthest.runEnd() > low) {
            raise(farthest.runEnd(), null);
            isFar &= !farthest.isImported(); // all numbers read so far were before the end of the import
        }
    }

    /** Raises the lower bound to a number that exists, with its entry if that was read. */
    private void raise(long number, @Nullable ChainEntry entry) {
        if (number > low || (number == low && entry != null)) {
            lowEntry = entry;
        }
        low = Math.max(low, number);
        if (high <= low) { // the number was created after the other one was found missing
            high = Long.MAX_VALUE;
            isFar = false;
        }
    }

    ChainTail tail() {
        return ChainTail.of(lowEntry, seal);
    }
}
