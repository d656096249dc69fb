package io.counterkit.datastore.internal.chain;

import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one change to a chain. Assigns numbers without a counter entity, as in an article of 2009 ("Numbering records
 * in sequence without using a counter", Virtual Technology, 16 November 2009):
 *
 * <ol>
 *   <li>find the newest number k;
 *   <li>in a transaction get the entry k + 1, and fail if it exists; otherwise put it and commit;
 *   <li>on "exists", continue with the next number without searching again.
 * </ol>
 *
 * <p>The differences, and their reasons:
 *
 * <ul>
 *   <li>An error does not prove that k + 1 is used. The article continues with k + 2. That leaves a gap if k + 1 was
 *       not used, and creates a duplicate if this attempt itself used it. Here a put has three outcomes: created,
 *       exists and unknown. The writer leaves k only after it has seen that k + 1 exists.
 *   <li>Tokens decide whether a change was applied. They are entities in the same transaction, so an attempt whose
 *       commit arrives late is either found by its token, or fails because the token exists.
 *   <li>The same transaction reads entry k. So k + 1 exists only if k does, the running count is exact, a deleted entry
 *       is noticed, and a seal stops every writer.
 *   <li>A transaction creates a run of entries for all requests that waited, since a chain is serial.
 *   <li>If the client can insert, an append reads only k and inserts k + 1. On a store that locks what it reads,
 *       several writers that have read k + 1 would wait for each other to write it, while no writer writes k. A failed
 *       insert has read nothing, so the writer then reads k + 1 without a transaction.
 * </ul>
 */
public final class ChainWriter<R> {
    /** How many numbers a retry reads beyond those that it needs. */
    private static final int MOST_AHEAD = 8;

    private final DatastoreContext context;
    private final ChainName chain;
    private final ChainChange<R> change;
    private final Call call;
    private final RetryLoop loop;
    private long k = -1;
    private int window;
    private boolean hasFailed;
    private boolean readsNext;

    ChainWriter(DatastoreContext context, ChainChange<R> change, Call call, RetryLoop loop) {
        this.context = context;
        this.chain = change.chain();
        this.change = change;
        this.call = call;
        this.loop = loop;
        this.window = change.maxEntries();
        this.readsNext = !context.client().canInsert() || change.kind() != ChainChange.Kind.APPEND;
    }

    /** Writes the change and returns its result. */
    R run() {
        return change.isRare()
                ? context.gate()
                        .runFirst(chain, call, () -> loop.withShortPauses().run(this::attempt))
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
        if (hasFailed && !readsNext) {
            catchUp();
        }
        hasFailed = true; // until this attempt has ended normally
        try {
            R result = loop.transact(this::plan);
            hasFailed = false;
            return result;
        } finally {
            window = widened();
        }
    }

    /** Reads without locks the entries that an append with an insert does not read in its transaction. */
    private void catchUp() {
        ChainTail tail = advance(context.client().get(null, keys(window), call), false);
        readsNext = tail != null && tail.seal() != null;
    }

    /**
     * Returns how many numbers a retry reads: if other writers are fast, as many as the entity groups of a transaction
     * allow.
     */
    private int widened() {
        int groups = 2
                + change.maxEntries()
                + change.tokens().size()
                + change.others().size();
        return change.maxEntries()
                + Math.max(0, Math.min(MOST_AHEAD, context.options().mostGroups() - groups));
    }

    private @Nullable WritePlan<R> plan(StoreTransaction transaction) {
        Map<StoreKey, StoreEntity> found = context.client().get(transaction, keys(readsNext ? window : 0), call);
        if (!readsNext) {
            WritePlan<R> plan = planInsert(found);
            if (plan != null) {
                return plan;
            }
            found.putAll(context.client().get(transaction, entries(k + 1, k + window), call));
        }
        ChainTail tail = advance(found, true);
        return tail == null ? null : remembering(change.planner().plan(tail, found));
    }

    /** Plans to insert entries after k. Returns null if the change must read the next entries first. */
    private @Nullable WritePlan<R> planInsert(Map<StoreKey, StoreEntity> found) {
        ChainEntry newest = newest(found);
        if (!ChainEntry.isWhole(newest) || change.tokens().stream().anyMatch(found::containsKey)) {
            return null;
        }
        WritePlan<R> plan = change.planner().plan(ChainTail.of(newest, null), found);
        return plan.run().isEmpty() ? null : remembering(plan);
    }

    private WritePlan<R> remembering(WritePlan<R> plan) {
        ChainEntry.endRun(plan.run());
        long last = k + plan.run().size();
        return new WritePlan<>(plan.run(), plan.puts(), plan.deletes(), () -> {
            context.finder().setSeen(chain, last);
            return plan.result().get();
        });
    }

    /** Returns the keys of entry k, of the next entries, and of the other entities that the change reads. */
    private List<StoreKey> keys(int next) {
        List<StoreKey> keys = entries(Math.max(1, k), k + next);
        keys.addAll(change.tokens());
        keys.addAll(change.others());
        return keys;
    }

    private List<StoreKey> entries(long from, long to) {
        List<StoreKey> keys = new ArrayList<>();
        for (long number = from; number <= to; number++) {
            keys.add(context.keys().entry(chain, number));
        }
        return keys;
    }

    /**
     * Advances k to the newest entry that was read. Returns the tail if everything that the change needs was read, or
     * else null: the next attempt then reads from k on.
     *
     * @param isOfOneMoment whether the entities were read in a transaction
     */
    private @Nullable ChainTail advance(Map<StoreKey, StoreEntity> found, boolean isOfOneMoment) {
        ChainEntry newest = newest(found);
        ChainEntry next = entry(k + 1, found);
        if (change.tokens().stream().anyMatch(found::containsKey)) {
            loop.setMayBeApplied(true);
        } else if (next != null && !isCovered(next)) {
            loop.setMayBeApplied(false); // each commit that was sent needed k + 1, which another writer used
        }
        long last = k + window;
        // Step 3: leaves a number only after it has seen that the next one exists.
        while (next != null && next.seal() == null && k < last) {
            k++;
            newest = next;
            next = k < last ? entry(k + 1, found) : null;
        }
        context.finder().setSeen(chain, k);
        if (next != null) {
            return ChainTail.of(newest, next);
        }
        boolean isWhole = ChainEntry.isWhole(newest);
        if (isWhole && k + change.maxEntries() <= last) {
            if (isOfOneMoment) {
                checkNothingBehind(last, found);
            }
            return ChainTail.of(newest, null);
        }
        k = k == last || !isWhole ? context.finder().find(chain, k, call).number() : k;
        return null;
    }

    private @Nullable ChainEntry newest(Map<StoreKey, StoreEntity> found) {
        ChainEntry newest = entry(k, found);
        if (k > 0 && newest == null) {
            throw ChainEntry.missing(chain, k);
        }
        return newest;
    }

    private @Nullable ChainEntry entry(long number, Map<StoreKey, StoreEntity> found) {
        return ChainEntry.find(context.keys(), chain, number, found);
    }

    private boolean isCovered(ChainEntry entry) {
        return entry.token() != null && change.tokens().contains(context.keys().token(entry.token()));
    }

    private void checkNothingBehind(long last, Map<StoreKey, StoreEntity> found) {
        for (long number = k + 2; number <= last; number++) {
            if (found.containsKey(context.keys().entry(chain, number))) {
                throw ChainEntry.missing(chain, k + 1);
            }
        }
    }
}
