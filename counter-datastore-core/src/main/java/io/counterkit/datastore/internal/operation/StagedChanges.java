package io.counterkit.datastore.internal.operation;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.SubjectFormat;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The appends and adds of an application's transaction, which are written together after its function has returned. */
public final class StagedChanges {
    private final DatastoreContext context;
    private final StoreTransaction transaction;
    private final IdempotencyToken token;
    private final Call call;
    private final Map<ChainName, StagedRun> runs = new LinkedHashMap<>();
    private final Map<StoreKey, StoreEntity> subjects = new HashMap<>();
    private final List<Resolution> changes = new ArrayList<>();

    StagedChanges(DatastoreContext context, StoreTransaction transaction, IdempotencyToken token, Call call) {
        this.context = context;
        this.transaction = transaction;
        this.token = token;
        this.call = call;
    }

    /** Appends an entry and returns its number. */
    public long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        Limits.checkName("sequence", sequence);
        AppendRequest request = AppendRequest.ofTransaction(change, subject, fields, token);
        StagedRun run = run(ChainName.sequence(sequence));
        if (subject != null) {
            changeSubject(sequence, subject, request);
        }
        run.tail = run.tail.plus(change.delta());
        run.entries.add(ChainEntry.ofAppend(context.keys(), sequence, request, run.tail, context.now(), token));
        changes.add(new Resolution.Appended(sequence, run.tail.number()));
        return run.tail.number();
    }

    private void changeSubject(String sequence, String subject, AppendRequest request) {
        StoreKey key = context.keys().subject(sequence, subject);
        StoreEntity stored = subjects.get(key);
        if (stored == null) {
            stored = context.client().find(transaction, key, call);
        }
        ChangeRefusedException refusal = request.refusal(sequence, SubjectFormat.isLive(stored));
        if (refusal != null) {
            throw refusal;
        }
        subjects.put(key, SubjectFormat.entity(context.keys(), sequence, subject, request.leavesSubjectLive()));
    }

    /** Adds to a counter. */
    public void add(String counter, long delta) {
        Limits.checkName("counter", counter);
        Limits.checkDelta(delta);
        ChainName chain = ChainName.counter(counter);
        StagedRun run = run(chain);
        run.tail = run.tail.plus(delta);
        run.entries.add(ChainEntry.ofCounter(
                context.keys(), chain, ChainEntry.CounterChange.ADD, delta, run.tail, context.now(), token));
        changes.add(new Resolution.Added(counter, delta));
    }

    private StagedRun run(ChainName chain) {
        StagedRun run = runs.get(chain);
        if (run == null) {
            run = new StagedRun(tail(chain));
            runs.put(chain, run);
        }
        if (run.tail.seal() != null) {
            throw new SealedException(chain.name(), run.tail.seal());
        }
        return run;
    }

    /**
     * Reads a tail in the transaction. If the chain has grown since the hint, throws an exception that retries the
     * whole transaction.
     */
    private ChainTail tail(ChainName chain) {
        long k = context.finder().hint(chain, call);
        StoreKey newestKey = context.keys().entry(chain, Math.max(1, k));
        StoreKey nextKey = context.keys().entry(chain, k + 1);
        List<StoreKey> keys = newestKey.equals(nextKey) ? List.of(nextKey) : List.of(newestKey, nextKey);
        Map<StoreKey, StoreEntity> found = context.client().get(transaction, keys, call);
        ChainEntry newest = ChainEntry.find(context.keys(), chain, k, found);
        ChainEntry next = ChainEntry.find(context.keys(), chain, k + 1, found);
        if ((k > 0 && newest == null) || !ChainEntry.isWhole(newest) || (next != null && next.seal() == null)) {
            context.finder().find(chain, k, call);
            throw new ConcurrentModificationException(chain + " has grown since this transaction began");
        }
        return ChainTail.of(newest, next);
    }

    /** Returns all entities to put. */
    List<StoreEntity> puts() {
        List<StoreEntity> puts = new ArrayList<>(subjects.values());
        runs.forEach((chain, run) -> {
            ChainEntry.endRun(run.entries);
            puts.addAll(run.entries);
            if (!run.entries.isEmpty() && run.isFirst) {
                puts.add(new StoreEntity(context.keys().name(chain)));
            }
        });
        return puts;
    }

    /** Remembers the new tails, and returns the changes in order. */
    List<Resolution> committed() {
        runs.forEach((chain, run) -> context.finder().setSeen(chain, run.tail.number()));
        return changes();
    }

    List<Resolution> changes() {
        return List.copyOf(changes);
    }

    /** The new entries of one chain, and its tail after them. */
    private static final class StagedRun {
        private final boolean isFirst;
        private final List<StoreEntity> entries = new ArrayList<>();
        private ChainTail tail;

        StagedRun(ChainTail tail) {
            this.isFirst = tail.isAbsent();
            this.tail = tail;
        }
    }
}
