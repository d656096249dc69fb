package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.CorruptDataException;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.tail.ChainTail;
import io.counterkit.datastore.internal.tail.TailFinder;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives out numbers without a counter entity, after an article of 2009 ("Numbering records in sequence without using a
 * counter", Virtual Technology, 16 November 2009):
 *
 * <ol>
 *   <li>find the newest number k;
 *   <li>in a transaction get the entry k + 1, and fail if it exists; otherwise put it and commit;
 *   <li>on "exists", go on to the next number without searching again.
 * </ol>
 *
 * <p>What is different, and why:
 *
 * <ul>
 *   <li>An error does not mean that k + 1 is taken: the article goes on to k + 2 then, and leaves a gap whenever it was
 *       not, or a double whenever it was taken by this very attempt. Here a put has three outcomes, created, exists and
 *       unknown, and k is left behind only once k + 1 was seen to exist.
 *   <li>What is applied is told by the tokens, which are entities of their own in the same transaction: an attempt that
 *       lands late is found by them, or fails on them.
 *   <li>The entry k is read in the same transaction. So k + 1 exists only if k does, the running count is exact, an
 *       entry that was deleted is noticed, and a seal stops everybody.
 *   <li>A transaction makes a run of entries, of requests that waited: the chain is serial, and this multiplies it.
 * </ul>
 */
public final class ChainWriter {
    /** The entity groups of one transaction. */
    public static final int MOST_GROUPS = 25;

    /** How many numbers a retry reads beyond those that it needs. */
    private static final int MOST_AHEAD = 8;

    /** The heaviest run of a counter: the entry before it, the token of the commit and the name take part as well. */
    public static final int MAX_WEIGHT = MOST_GROUPS - 3;

    private final DatastoreClient store;
    private final DatastoreSchema schema;
    private final TailFinder finder;
    private final DatastoreSequenceOptions options;
    private final PriorityGate precedence = new PriorityGate();

    ChainWriter(DatastoreClient store, DatastoreSchema schema, TailFinder finder, DatastoreSequenceOptions options) {
        this.store = store;
        this.schema = schema;
        this.finder = finder;
        this.options = options;
    }

    /** Carries out a change, or throws the outcome that it had. */
    public <R> R carryOut(ChainName chain, ChainChange<R> change, Commit commit) {
        RetryLoop tries = new RetryLoop(options, "changing " + chain, chain.name(), commit, commit::token);
        Attempt<R> attempt = new Attempt<>(chain, change, commit);
        return change.isRare()
                ? precedence.first(chain, commit, () -> tries.carryOut(attempt))
                : tries.carryOut(attempt);
    }

    /**
     * Carries out an import: it is done once however often it is sent, so that no token tells what became of it.
     *
     * @throws IllegalStateException if its outcome is not known
     */
    public <R> R carryOutOnce(ChainName chain, ChainChange<R> change, Call call) {
        return new RetryLoop(options, "importing " + chain, chain.name(), call, null)
                .carryOut(new Attempt<>(chain, change, call));
    }

    /** One change, as it is tried again and again. */
    private final class Attempt<R> implements RetryLoop.Attempt<R> {
        private final ChainName chain;
        private final ChainChange<R> change;
        private final Call call;
        private final Commits commits;
        private long k = -1;
        private int window;

        Attempt(ChainName chain, ChainChange<R> change, Call call) {
            this.chain = chain;
            this.change = change;
            this.window = change.width();
            this.call = call;
            this.commits = new Commits(store, call);
        }

        @Override
        public boolean mayLand() {
            return commits.mayLand();
        }

        @Override
        public boolean isHasty() {
            return change.isRare();
        }

        /** Null if k was behind and is not any more. */
        @Override
        public @Nullable R run() {
            if (!change.isRare()) {
                precedence.standBack(chain, call);
            }
            if (k < 0) {
                k = finder.hint(chain, call);
            }
            Transaction transaction = null;
            boolean isDone = false;
            try {
                transaction = commits.begin();
                Map<Key, Entity> read = store.get(transaction, keys(), call);
                @Nullable ChainTail end = end(read);
                if (end == null) {
                    return null;
                }
                ChainChange.Judgement<R> judgement = change.judge(new Snapshot(end, read));
                if (!judgement.isNothing()) {
                    write(transaction, judgement);
                    finder.seen(chain, k + judgement.run().size());
                }
                R result = judgement.result().get();
                isDone = true;
                return result;
            } finally {
                store.end(transaction, call);
                if (!isDone) {
                    widen();
                }
            }
        }

        private List<Key> keys() {
            List<Key> keys = new ArrayList<>();
            for (long number = Math.max(1, k); number <= k + window; number++) {
                keys.add(schema.entryKey(chain, number));
            }
            keys.addAll(change.tokens());
            keys.addAll(change.others());
            return keys;
        }

        /** The end of the chain, with all that was read that the change needs; otherwise moves k on, and null. */
        private @Nullable ChainTail end(Map<Key, Entity> read) {
            ChainEntry newest = link(k, read);
            if (k > 0 && newest == null) {
                throw new CorruptDataException("entry " + k + " of " + chain
                        + " was there and is not any more: entries must not be deleted; no number is given out");
            }
            long last = k + window;
            ChainEntry next = link(k + 1, read);
            if (change.tokens().stream().anyMatch(read::containsKey)) {
                commits.landed();
            } else if (next != null && !schema.isCoveredBy(change.tokens(), next)) {
                commits.missed(); // what was sent wanted k + 1, and that is another's
            }
            // Step 3: each number is left behind only once the next one was seen to exist.
            while (next != null && next.seal() == null && k < last) {
                k++;
                newest = next;
                next = k < last ? link(k + 1, read) : null;
            }
            finder.seen(chain, k);
            if (next != null) {
                return new ChainTail(newest, next.seal());
            }
            boolean isWhole = newest == null || newest.runEnd() == k;
            if (isWhole && k + change.width() <= last) {
                checkNothingBehind(last, read);
                return new ChainTail(newest, null);
            }
            k = k == last || !isWhole ? finder.find(chain, k, call).number() : k;
            return null;
        }

        private void checkNothingBehind(long last, Map<Key, Entity> read) {
            for (long number = k + 2; number <= last; number++) {
                if (read.containsKey(schema.entryKey(chain, number))) {
                    throw new CorruptDataException("entry " + (k + 1) + " of " + chain + " does not exist, but entry "
                            + number + " does: entries must not be deleted; no number is given out");
                }
            }
        }

        /** Where others are quick, looks further ahead: as far as the entity groups of a transaction go. */
        private void widen() {
            int taken = 2
                    + change.width()
                    + change.tokens().size()
                    + change.others().size();
            window = change.width() + Math.max(0, Math.min(MOST_AHEAD, MOST_GROUPS - taken));
        }

        private void write(Transaction transaction, ChainChange.Judgement<R> judgement) {
            DatastoreSchema.endRun(judgement.run());
            List<Entity> puts = new ArrayList<>(judgement.run());
            puts.addAll(judgement.puts());
            store.put(transaction, puts, call);
            if (!judgement.deletes().isEmpty()) {
                store.delete(transaction, judgement.deletes(), call);
            }
            commits.send(transaction);
        }

        private @Nullable ChainEntry link(long number, Map<Key, Entity> read) {
            Entity entity = number == 0 ? null : read.get(schema.entryKey(chain, number));
            return entity == null ? null : schema.link(chain, entity);
        }
    }
}
