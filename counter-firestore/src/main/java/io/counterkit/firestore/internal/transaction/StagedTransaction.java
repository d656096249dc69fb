package io.counterkit.firestore.internal.transaction;

import com.google.cloud.firestore.Transaction;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.firestore.FirestoreTransaction;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.sequence.AppendPlan;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects the adds and appends of one attempt of a transaction, and writes them before the commit. */
final class StagedTransaction implements FirestoreTransaction {
    private final FirestoreSequences sequences;
    private final Call call;
    private final Transaction transaction;
    private final SortedMap<String, Long> deltas = new TreeMap<>();
    private final List<Append> appends = new ArrayList<>();
    private final Map<String, Tail> tails = new HashMap<>();
    private final Map<String, Tail> found = new HashMap<>();
    private final Map<String, Map<String, Boolean>> subjects = new HashMap<>();

    StagedTransaction(FirestoreSequences sequences, Call call, Transaction transaction) {
        this.sequences = sequences;
        this.call = call;
        this.transaction = transaction;
    }

    @Override
    public Transaction transaction() {
        return transaction;
    }

    @Override
    public void add(String counter, long delta) {
        Limits.checkDelta(delta);
        deltas.merge(Limits.checkName("counter name", counter), delta, (one, other) -> Limits.checkDelta(one + other));
    }

    @Override
    public long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        Limits.checkName("sequence name", sequence);
        AppendRequest request = AppendRequest.ofTransaction(change, subject, fields, null);
        Tail tail = tails.computeIfAbsent(sequence, this::find);
        if (tail.seal() != null) {
            throw new SealedException(sequence, tail.seal());
        }
        AppendPlan plan = AppendPlan.of(sequence, tail, List.of(request), List.of(0), liveSubjects(sequence, subject));
        for (ChangeRefusedException refusal : plan.refusals().values()) {
            throw refusal;
        }
        tails.put(sequence, plan.tail());
        plan.subjects()
                .forEach((changed, live) -> subjects.computeIfAbsent(sequence, name -> new HashMap<>())
                        .put(changed, live));
        appends.add(new Append(sequence, plan));
        return plan.tail().last();
    }

    private Tail find(String sequence) {
        Tail tail = sequences.tails().find(sequence, call).join();
        found.put(sequence, tail);
        return tail;
    }

    /**
     * Returns whether a sequence has grown since its tail was found. If none has, no append of another process has
     * changed a subject since it was read. Used if there is no commit that would detect this.
     */
    CompletableFuture<Boolean> isAnyGrown() {
        return Futures.all(found.entrySet().stream()
                        .map(each -> sequences
                                .tails()
                                .find(each.getKey(), call)
                                .thenApply(now -> !now.equals(each.getValue())))
                        .toList())
                .thenApply(grown -> grown.contains(true));
    }

    /** Returns the live subjects after the previous appends of this transaction. */
    private Map<String, Boolean> liveSubjects(String sequence, @Nullable String subject) {
        if (subject == null) {
            return Map.of();
        }
        Map<String, Boolean> changed = subjects.getOrDefault(sequence, Map.of());
        return changed.containsKey(subject)
                ? changed
                : sequences
                        .entries()
                        .liveSubjects(sequence, List.of(subject), call)
                        .join();
    }

    private record Append(String sequence, AppendPlan plan) {}

    SortedMap<String, Long> deltas() {
        return deltas;
    }

    List<Long> numbers() {
        return appends.stream().map(append -> append.plan().tail().last()).toList();
    }

    void writeAppends(FirestoreSchema schema) {
        for (Append append : appends) {
            append.plan().writeTo(transaction, schema, append.sequence());
        }
    }
}
