package io.counterkit.datastore.internal.tail;

import io.counterkit.CorruptDataException;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Encloses the last number of one chain: the highest that was seen to exist and the lowest that was not. Since numbers
 * have no gaps, each number that is asked for tells about all before or after it. Ask, read, tell, until there is
 * nothing more to ask.
 *
 * <p>Only before the end of an import there are gaps, of what is not copied. There number 1 always exists, and whatever
 * exists tells where that end is. So nothing is concluded from a number that is missing before it.
 *
 * <p>What it ends with was the end of the chain at one moment since the first question: the end of a run that existed
 * before it was told, with nothing behind it that existed before it asked. A number in the middle of a run is not
 * believed, for the rest of the run exists as well.
 */
final class Probe {
    private static final int NEAR = 21;
    private static final int FAR = 41;
    private static final int PARTS = 32;

    private final ChainName chain;
    private final boolean walks;
    private long low;
    private long high = Long.MAX_VALUE;
    private boolean isHint;
    private int gallops;
    private @Nullable ChainEntry lowLink;
    private @Nullable ChainEntry seal;

    /**
     * @param low a number that exists, or 0
     * @param walks whether to go from one number to the next only
     */
    Probe(ChainName chain, long low, boolean walks) {
        this.chain = chain;
        this.low = low;
        this.isHint = low > 0;
        this.walks = walks;
    }

    /** The numbers to read next; none when the end is found. */
    List<Long> asks() {
        if (isHint) {
            return List.of(low, low + 1);
        }
        if (high == Long.MAX_VALUE) {
            List<Long> asks = lowIfUnread();
            asks.addAll(walks ? range(low + 1, low + PARTS) : gallops == 0 ? powers(0, NEAR) : powers(NEAR, FAR));
            return asks;
        }
        List<Long> asks = lowIfUnread();
        long step = Math.max(1, (high - low) / PARTS);
        for (long number = low + step; number < high; number += step) {
            asks.add(number);
        }
        return asks;
    }

    private List<Long> lowIfUnread() {
        return new ArrayList<>(low > 0 && lowLink == null ? List.of(low) : List.of());
    }

    /** Takes in what was read of the numbers that were asked for last; null for what does not exist. */
    void tell(List<Long> asked, LongFunction<@Nullable ChainEntry> read) {
        gallops += !isHint && high == Long.MAX_VALUE ? 1 : 0;
        isHint = false;
        @Nullable ChainEntry told = null; // the one that leads farthest
        for (long number : asked) {
            ChainEntry link = read.apply(number);
            if (link == null && told != null && number <= told.runEnd()) {
                continue; // made while this was read, or not copied
            }
            if (link == null && number <= low) {
                throw new CorruptDataException("entry " + number + " of " + chain
                        + " was there and is not any more: entries must not be deleted; no number is given out");
            }
            if (link == null) {
                high = Math.min(high, number);
                break;
            }
            if (link.seal() != null) {
                seal = link;
                high = number;
                exists(number - 1, null);
                return;
            }
            exists(number, link);
            told = told == null || link.runEnd() > told.runEnd() ? link : told;
        }
        if (told != null && told.runEnd() > low) {
            exists(told.runEnd(), null);
            gallops = told.isImported() ? 0 : gallops; // what was asked for says nothing of what is behind
        }
    }

    /** Takes in a number that exists, with its entry if that was read. */
    private void exists(long number, @Nullable ChainEntry link) {
        if (number > low || (number == low && link != null)) {
            lowLink = link;
        }
        low = Math.max(low, number);
        if (high <= low) { // made while this was read, together with what was seen of its run
            high = Long.MAX_VALUE;
            gallops = 0;
        }
    }

    private List<Long> powers(int from, int to) {
        List<Long> numbers = new ArrayList<>();
        for (int power = from; power < to; power++) {
            numbers.add(low + (1L << power));
        }
        return numbers;
    }

    private static List<Long> range(long from, long to) {
        List<Long> numbers = new ArrayList<>();
        for (long number = from; number <= to; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    ChainTail found() {
        return new ChainTail(lowLink, seal == null ? null : seal.seal());
    }
}
