package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.CorruptDataException;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one change to a chain. It gives out numbers without a counter entity, after an article of 2009 ("Numbering
 * records in sequence without using a counter", Virtual Technology, 16 November 2009):
 *
 * <ol>
 *   <li>find the newest number k;
 *   <li>in a transaction get the entry k + 1, and fail if it exists; otherwise put it and commit;
 *   <li>on "exists", continue with the next number without searching again.
 * </ol>
 *
 * <p>What is different, and why:
 *
 * <ul>
 *   <li>An error does not mean that k + 1 is taken. The article continues with k + 2 then. That leaves a gap if k + 1 was
 *       not taken, and a double if this very attempt took it. Here a put has three outcomes, created, exists and unknown,
 *       and the writer moves on from k only once it has seen that k + 1 exists.
 *   <li>Tokens decide whether a change was applied. They are entities in the same transaction, so that an attempt whose
 *       commit arrives late is found by them, or fails on them.
 *   <li>The same transaction reads entry k. So k + 1 exists only if k does, the running count is exact, a deleted entry is
 *       noticed, and a seal stops every writer.
 *   <li>A transaction creates a run of entries, for all requests that waited, since a chain is serial.
 * </ul>
 */
public final class ChainWriter<R> {
    /** The most entity groups of one transaction. */
    public static final int MOST_GROUPS = 25;

    /** The heaviest run of a counter: the entry before it, the token of the commit and the name take part as well. */
    public static final int MAX_WEIGHT = MOST_GROUPS - 3;

    /** How many numbers a retry reads beyond those that it needs. */
    private static final int MOST_AHEAD = 8;

    private final DatastoreContext context;
    private final ChainName chain;
    private final ChainChange<R> change;
    private final Call call;
    private final RetryLoop loop;
    private long k = -1;
    private int window;

    ChainWriter(DatastoreContext context, ChainChange<R> change, Call call, RetryLoop loop) {
        this.context = context;
        this.chain = change.chain();
        this.change = change;
        this.call = call;
        this.loop = loop;
        this.window = change.maxEntries();
    }

    /** Writes the change and returns its result. */
    R run() {
        return change.isRare()
                ? context.gate().first(chain, call, () -> loop.withShortPauses().run(this::attempt))
                : loop.run(this::attempt);
    }

    /** Returns null if k was stale and has been advanced. */
    private @Nullable R attempt() {
        if (!change.isRare()) {
            context.gate().await(chain, call);
        }
        if (k < 0) {
            k = context.finder().hint(chain, call);
        }
        try {
            return loop.transact(this::plan);
        } finally {
            window = widened();
        }
    }

    /** Where other writers are quick, a retry reads further ahead, as far as the entity groups of a transaction allow. */
    private int widened() {
        int groups = 2
                + change.maxEntries()
                + change.tokens().size()
                + change.others().size();
        return change.maxEntries() + Math.max(0, Math.min(MOST_AHEAD, MOST_GROUPS - groups));
    }

    private @Nullable WritePlan<R> plan(Transaction transaction) {
        List<Key> keys = new ArrayList<>();
        for (long number = Math.max(1, k); number <= k + window; number++) {
            keys.add(context.keys().entry(chain, number));
        }
        keys.addAll(change.tokens());
        keys.addAll(change.others());
        Map<Key, Entity> found = context.client().get(transaction, keys, call);
        @Nullable ChainTail tail = tail(found);
        if (tail == null) {
            return null;
        }
        WritePlan<R> plan = change.planner().plan(tail, found);
        ChainEntry.endRun(plan.run());
        return new WritePlan<>(plan.run(), plan.puts(), plan.deletes(), () -> {
            context.finder().setSeen(chain, k + plan.run().size());
            return plan.result().get();
        });
    }

    /** Returns the tail if all that the change needs was read, or else advances k and returns null. */
    private @Nullable ChainTail tail(Map<Key, Entity> found) {
        ChainEntry newest = entry(k, found);
        if (k > 0 && newest == null) {
            throw new CorruptDataException("entry " + k + " of " + chain
                    + " existed and does not exist any more: entries must not be deleted; no number is given out");
        }
        ChainEntry next = entry(k + 1, found);
        if (change.tokens().stream().anyMatch(found::containsKey)) {
            loop.setMayBeApplied(true);
        } else if (next != null && !isCovered(next)) {
            loop.setMayBeApplied(false); // each commit that was sent needed k + 1, which another one took
        }
        long last = k + window;
        // Step 3: moves on from a number only once the next one is seen to exist.
        while (next != null && next.seal() == null && k < last) {
            k++;
            newest = next;
            next = k < last ? entry(k + 1, found) : null;
        }
        context.finder().setSeen(chain, k);
        if (next != null) {
            return ChainTail.of(newest, next);
        }
        boolean isWhole = newest == null || newest.runEnd() == k;
        if (isWhole && k + change.maxEntries() <= last) {
            checkNothingBehind(last, found);
            return ChainTail.of(newest, null);
        }
        k = k == last || !isWhole ? context.finder().find(chain, k, call).number() : k;
        return null;
    }

    private @Nullable ChainEntry entry(long number, Map<Key, Entity> found) {
        return ChainEntry.find(context.keys(), chain, number, found);
    }

    private boolean isCovered(ChainEntry entry) {
        return entry.token() != null && change.tokens().contains(context.keys().token(entry.token()));
    }

    private void checkNothingBehind(long last, Map<Key, Entity> found) {
        for (long number = k + 2; number <= last; number++) {
            if (found.containsKey(context.keys().entry(chain, number))) {
                throw new CorruptDataException("entry " + (k + 1) + " of " + chain + " does not exist, but entry "
                        + number + " does: entries must not be deleted; no number is given out");
            }
        }
    }
}
