package io.counterkit.firestore.internal.sequence;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.ContentionException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Appends a run of entries in one commit: the markers, then each entry as a unique create of the number after the last.
 * The number is the lock. Whoever creates it first has it; everybody else sees that it is there, and only then goes on
 * to the next, so no number is left out and none is given twice.
 *
 * <p>What stands at a number never changes, so knowing the last entry is enough to follow it. If it was not the last any
 * more the commit fails as a whole, and the run is planned anew after it. Subjects are read after the end is known: if
 * the commit succeeds nothing came between, so they were as they were read.
 */
final class AppendRun {
    private final FirestoreSequences store;
    private final FirestoreSchema schema;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final Commit commit;
    private final Map<Integer, Result<Entry>> results = new HashMap<>();
    private boolean isSent;
    private boolean isEndKnown;
    private int conflicts;

    AppendRun(FirestoreSequences store, String sequence, List<AppendRequest> requests, Commit commit) {
        this.store = store;
        this.schema = store.schema();
        this.sequence = sequence;
        this.requests = requests;
        this.commit = commit;
    }

    CompletableFuture<List<Result<Entry>>> send() {
        Tail hint = store.tails().hint(sequence);
        CompletableFuture<Tail> tail = hint != null ? CompletableFuture.completedFuture(hint) : find();
        return tail.thenCompose(this::appendAfter)
                .exceptionally(failure -> {
                    throw outcomeOf(failure);
                })
                .thenApply(done -> IntStream.range(0, requests.size())
                        .mapToObj(index -> Objects.requireNonNull(results.get(index)))
                        .toList());
    }

    /** Before anything is sent a failure is known to have applied nothing; afterwards it leaves that open. */
    private RuntimeException outcomeOf(Throwable failure) {
        return isSent
                ? new IllegalStateException(
                        FirestoreErrors.unwrapped(failure).getMessage(), FirestoreErrors.unwrapped(failure))
                : FirestoreErrors.notApplied("appending to '" + sequence + "'", failure);
    }

    private List<Integer> open() {
        return IntStream.range(0, requests.size())
                .filter(index -> !results.containsKey(index))
                .boxed()
                .toList();
    }

    private CompletableFuture<Void> appendAfter(Tail tail) {
        List<Integer> open = open();
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (tail.seal() != null) {
            SealedException sealed = new SealedException(sequence, tail.seal());
            return answerKnown(open).thenAccept(known -> fail(open(), sealed));
        }
        return liveSubjects(open).thenCompose(live -> {
            AppendPlan plan = AppendPlan.of(sequence, tail, requests, open, live);
            return answerKnown(List.copyOf(plan.refusals().keySet())).thenCompose(known -> {
                if (known) {
                    return appendAfter(tail); // what did not fit only because it was there already is answered now
                }
                if (plan.places().isEmpty() && !isEndKnown) {
                    return findAndAppend(); // there may be a seal by now, which no commit would meet
                }
                if (plan.places().isEmpty()) {
                    refuse(plan);
                    return CompletableFuture.completedFuture(null);
                }
                return commit(plan);
            });
        });
    }

    private CompletableFuture<Map<String, Boolean>> liveSubjects(List<Integer> open) {
        List<String> subjects = open.stream()
                .map(index -> requests.get(index).subject())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return store.liveSubjects(sequence, subjects, commit);
    }

    private CompletableFuture<Void> commit(AppendPlan plan) {
        isSent = true;
        return schema.sender()
                .send(commit, List.of(sequence), () -> batch(plan).commit())
                .thenCompose(answer -> {
                    List<WriteResult> written = answer.value();
                    if (written != null) {
                        store.tails().remember(sequence, plan.tail());
                        succeed(plan, written.get(0).getUpdateTime());
                        refuse(plan);
                        return CompletableFuture.completedFuture(null);
                    }
                    return settle(plan);
                });
    }

    private WriteBatch batch(AppendPlan plan) {
        WriteBatch batch = schema.firestore().batch();
        if (plan.places().stream().anyMatch(place -> requests.get(place.index()).token() == null)) {
            TokenDocument own =
                    TokenDocument.ofNumbers(TokenDocument.Kind.APPENDS, sequence, plan.numbers(requests.size()));
            create(batch, commit.token(), own);
        }
        for (AppendPlan.Place place : plan.places()) {
            AppendRequest request = requests.get(place.index());
            if (request.token() != null) {
                create(batch, request.token(), TokenDocument.of(sequence, place.number(), request));
            }
        }
        plan.writeTo(batch, schema, sequence, requests);
        return batch;
    }

    private void create(WriteBatch batch, IdempotencyToken token, TokenDocument marker) {
        store.tokens().create(batch, token, marker);
    }

    /** Something that this commit was to create is there, so it will never be applied, unless it was. */
    private CompletableFuture<Void> settle(AppendPlan plan) {
        return store.tokens().read(List.of(commit.token()), commit).thenCompose(found -> {
            TokenDocument own = found.get(commit.token());
            if (own != null && !own.isVoid()) {
                return store.entries()
                        .read(
                                sequence,
                                plan.places().stream()
                                        .map(AppendPlan.Place::number)
                                        .toList(),
                                commit)
                        .thenAccept(entries -> {
                            for (int i = 0; i < entries.size(); i++) {
                                results.put(plan.places().get(i).index(), Result.of(entries.get(i)));
                            }
                            refuse(plan);
                        });
            }
            return answerKnown(open()).thenCompose(known -> {
                if (own != null) {
                    open().forEach(index -> results.put(index, Result.retry()));
                    return CompletableFuture.completedFuture(null);
                }
                return known ? findAndAppend() : appendAfterRival();
            });
        });
    }

    private CompletableFuture<Void> appendAfterRival() {
        commit.reportConflict(List.of(sequence));
        if (commit.remaining().toNanos() <= 0) {
            fail(
                    open(),
                    new ContentionException("appending to '" + sequence + "': others were first " + (conflicts + 1)
                            + " times until the time was over; nothing was applied"));
            return CompletableFuture.completedFuture(null);
        }
        // The first rival costs no pause: he has one commit in flight, which has just ended.
        return conflicts++ == 0
                ? findAndAppend()
                : schema.requests().afterPause(commit, conflicts, this::findAndAppend);
    }

    private CompletableFuture<Void> findAndAppend() {
        return find().thenCompose(this::appendAfter);
    }

    private CompletableFuture<Tail> find() {
        isEndKnown = true;
        return store.tails().find(sequence, commit);
    }

    /** Answers those whose own token was seen before; tells whether there were any. */
    private CompletableFuture<Boolean> answerKnown(List<Integer> indexes) {
        TreeMap<Integer, IdempotencyToken> asked = new TreeMap<>();
        for (int index : indexes) {
            IdempotencyToken token = requests.get(index).token();
            if (token != null) {
                asked.put(index, token);
            }
        }
        return store.tokens().read(List.copyOf(asked.values()), commit).thenCompose(found -> {
            List<Integer> same = new ArrayList<>();
            List<Long> numbers = new ArrayList<>();
            asked.forEach((index, token) -> {
                TokenDocument marker = found.get(token);
                if (marker != null && marker.isFor(sequence, requests.get(index))) {
                    same.add(index);
                    numbers.add(marker.number());
                } else if (marker != null) {
                    results.put(index, Result.failed(refused(token, marker)));
                }
            });
            return store.entries().read(sequence, numbers, commit).thenApply(entries -> {
                for (int i = 0; i < entries.size(); i++) {
                    results.put(same.get(i), Result.of(entries.get(i)));
                }
                return !found.markers().isEmpty();
            });
        });
    }

    private TokenRefusedException refused(IdempotencyToken token, TokenDocument marker) {
        return new TokenRefusedException(
                "append to '" + sequence + "': token " + token + " stands for " + marker.resolution(null));
    }

    private void succeed(AppendPlan plan, Timestamp at) {
        for (AppendPlan.Place place : plan.places()) {
            AppendRequest request = requests.get(place.index());
            Entry entry = new Entry(
                    place.number(),
                    EntryDocument.toInstant(at),
                    request.change(),
                    request.subject(),
                    request.fields(),
                    place.liveCount(),
                    false);
            results.put(place.index(), Result.of(entry));
        }
    }

    private void refuse(AppendPlan plan) {
        plan.refusals().forEach((index, refusal) -> results.put(index, Result.failed(refusal)));
    }

    private void fail(List<Integer> indexes, CounterException failure) {
        indexes.forEach(index -> results.put(index, Result.failed(failure)));
    }
}
