package io.counterkit.datastore.internal.transaction;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.datastore.SequenceTransaction;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.counter.CounterEnd;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.Total;
import io.counterkit.datastore.internal.tail.ChainTail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Fields;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a transaction of an application appends and adds: kept here until its work is done, then written at once. */
final class StagedChanges implements SequenceTransaction {
    private final DatastoreContext parts;
    private final Transaction transaction;
    private final IdempotencyToken token;
    private final Call call;
    private final Map<ChainName, Staged> chains = new LinkedHashMap<>();
    private final Map<Key, Entity> subjects = new HashMap<>();
    private final List<Resolution> changes = new ArrayList<>();

    StagedChanges(DatastoreContext parts, Transaction transaction, IdempotencyToken token, Call call) {
        this.parts = parts;
        this.transaction = transaction;
        this.token = token;
        this.call = call;
    }

    @Override
    public Transaction transaction() {
        return transaction;
    }

    @Override
    public long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        Limits.checkName("sequence", sequence);
        if (subject != null) {
            Limits.checkName("subject", subject);
        } else if (change != Change.ADDED) {
            throw new IllegalArgumentException(change + " without a subject: name what is changed");
        }
        AppendRequest request = new AppendRequest(change, subject, Fields.check(fields), token);
        Staged chain = open(ChainName.sequence(sequence));
        if (subject != null) {
            changeSubject(sequence, subject, change);
        }
        chain.number++;
        chain.total = new Total(chain.total.value() + change.delta(), false);
        chain.run.add(parts.schema().entry(sequence, request, chain.number, chain.total.value(), parts.now(), token));
        changes.add(new Resolution.Appended(sequence, chain.number));
        return chain.number;
    }

    private void changeSubject(String sequence, String subject, Change change) {
        Key key = parts.schema().subjectKey(sequence, subject);
        Entity stored = subjects.get(key);
        if (stored == null) {
            stored = parts.store().get(transaction, List.of(key), call).get(key);
        }
        boolean live = stored != null && DatastoreSchema.isLive(stored);
        if (live == (change == Change.ADDED)) {
            throw new ChangeRefusedException(change.noun() + " of '" + subject + "' in '" + sequence + "', which is "
                    + (live ? "live already" : "not live"));
        }
        subjects.put(key, parts.schema().subject(sequence, subject, change != Change.REMOVED));
    }

    @Override
    public void add(String counter, long delta) {
        Limits.checkName("counter", counter);
        Limits.checkDelta(delta);
        Staged chain = open(ChainName.counter(counter));
        chain.number++;
        chain.total = chain.total.plus(delta);
        chain.run.add(parts.schema()
                .counterEntry(
                        counter,
                        DatastoreSchema.CounterChange.ADD,
                        delta,
                        chain.number,
                        chain.total,
                        parts.now(),
                        token));
        changes.add(new Resolution.Added(counter, delta));
    }

    private Staged open(ChainName chain) {
        Staged staged = chains.get(chain);
        if (staged == null) {
            staged = new Staged(end(chain));
            chains.put(chain, staged);
        }
        if (staged.end.seal() != null) {
            throw new SealedException(chain.name(), staged.end.seal());
        }
        return staged;
    }

    /** The end of a chain in this transaction. One that is elsewhere by now is in the way of the whole transaction. */
    private ChainTail end(ChainName chain) {
        long k = parts.finder().hint(chain, call);
        Key last = parts.schema().entryKey(chain, Math.max(1, k));
        Key next = parts.schema().entryKey(chain, k + 1);
        Map<Key, Entity> read =
                parts.store().get(transaction, last.equals(next) ? List.of(next) : List.of(last, next), call);
        ChainEntry newest = k == 0 ? null : link(chain, last, read);
        ChainEntry behind = link(chain, next, read);
        boolean isWhole = newest == null || newest.runEnd() == k;
        if ((k > 0 && newest == null) || !isWhole || (behind != null && behind.seal() == null)) {
            parts.finder().find(chain, k, call);
            throw new ConcurrentModificationException(chain + " has moved on since this transaction began");
        }
        return new ChainTail(newest, behind == null ? null : behind.seal());
    }

    private @Nullable ChainEntry link(ChainName chain, Key key, Map<Key, Entity> read) {
        Entity entity = read.get(key);
        return entity == null ? null : parts.schema().link(chain, entity);
    }

    /** Everything that is to be written. */
    List<Entity> puts() {
        List<Entity> puts = new ArrayList<>(subjects.values());
        chains.forEach((chain, staged) -> {
            DatastoreSchema.endRun(staged.run);
            puts.addAll(staged.run);
            if (!staged.run.isEmpty() && new CounterEnd(staged.end.newest()).isAbsent()) {
                puts.add(new Entity(parts.schema().nameKey(chain)));
            }
        });
        return puts;
    }

    void committed() {
        chains.forEach((chain, staged) -> parts.finder().seen(chain, staged.number));
    }

    List<Resolution> changes() {
        return List.copyOf(changes);
    }

    /** One chain, as it will be. */
    private static final class Staged {
        private final ChainTail end;
        private final List<Entity> run = new ArrayList<>();
        private long number;
        private Total total;

        Staged(ChainTail end) {
            this.end = end;
            this.number = end.number();
            this.total = new CounterEnd(end.newest()).total();
        }
    }
}
