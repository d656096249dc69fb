package io.counterkit.firestore.internal.sequence;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.WriteBatch;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.ContentionException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Appends entries in one commit: the token documents first, then each entry under the next number, with a create that
 * fails if the document exists. The create serves as the lock. A writer tries a number only after it has seen the
 * previous one, so no number is skipped or used twice.
 *
 * <p>The document of a number never changes, so a remembered tail is enough to append after it. If the sequence has
 * grown since, the whole commit fails and the appends are planned again. Subjects are read after the tail: if the
 * commit succeeds, no other append was applied in between, so they have not changed. A subject that was unknown is
 * created, so it was not imported in between either.
 */
final class AppendCommit {
    private final FirestoreSchema schema;
    private final TokenStore tokens;
    private final TailFinder tails;
    private final EntryReader entries;
    private final AppendAnswers answers;
    private final String sequence;
    private final List<AppendRequest> requests;
    private final Commit commit;
    private boolean isSent;
    private int conflicts;

    AppendCommit(
            FirestoreSchema schema,
            TokenStore tokens,
            TailFinder tails,
            EntryReader entries,
            String sequence,
            List<AppendRequest> requests,
            Commit commit) {
        this.schema = schema;
        this.tokens = tokens;
        this.tails = tails;
        this.entries = entries;
        this.sequence = sequence;
        this.requests = requests;
        this.commit = commit;
        this.answers = new AppendAnswers(tokens, entries, sequence, requests, commit);
    }

    CompletableFuture<List<Result<Entry>>> send() {
        Tail hint = tails.hint(sequence);
        return (hint != null ? appendAfter(hint) : findAndAppend())
                .exceptionally(failure -> {
                    throw outcomeOf(failure);
                })
                .thenApply(done -> answers.all());
    }

    /** Returns a failure with the outcome not applied before a commit was sent, and unknown afterwards. */
    private RuntimeException outcomeOf(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        return isSent
                ? new IllegalStateException(cause.getMessage(), cause)
                : FirestoreErrors.notApplied("appending to '" + sequence + "'", cause);
    }

    private CompletableFuture<Void> findAndAppend() {
        return tails.find(sequence, commit).thenCompose(this::appendAfter);
    }

    private CompletableFuture<Void> appendAfter(Tail tail) {
        List<Integer> open = answers.open();
        if (open.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        if (tail.seal() != null) {
            SealedException sealed = new SealedException(sequence, tail.seal());
            return answers.answerRepeated(open).thenAccept(repeated -> answers.fail(answers.open(), sealed));
        }
        List<String> subjects = open.stream()
                .map(index -> requests.get(index).subject())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return entries.liveSubjects(sequence, subjects, commit).thenCompose(live -> {
            AppendPlan plan = AppendPlan.of(sequence, tail, requests, open, live);
            return answers.answerRepeated(List.copyOf(plan.refusals().keySet())).thenCompose(repeated -> {
                if (repeated) {
                    return appendAfter(tail); // a repeated request may not fit its subject because of its own entry
                }
                return plan.places().isEmpty() ? refuse(plan, tail) : commit(plan);
            });
        });
    }

    /**
     * Refuses all requests of a plan if the tail has not changed since the plan. Otherwise plans the requests again:
     * the subjects were read in between, and may be those of an import after a seal, which no commit would detect.
     */
    private CompletableFuture<Void> refuse(AppendPlan plan, Tail tail) {
        return tails.find(sequence, commit).thenCompose(now -> {
            if (!now.equals(tail)) {
                return appendAfter(now);
            }
            answers.fail(plan.refusals());
            return CompletableFuture.completedFuture(null);
        });
    }

    private CompletableFuture<Void> commit(AppendPlan plan) {
        isSent = true;
        return schema.client()
                .commit(commit, List.of(sequence), () -> batch(plan).commit())
                .thenCompose(answer -> {
                    List<WriteResult> written = answer.value();
                    if (written == null) {
                        return settle(plan);
                    }
                    tails.remember(sequence, plan.tail());
                    Timestamp at = written.get(0).getUpdateTime();
                    plan.places().forEach(place -> answers.put(place.index(), Result.of(entry(place, at))));
                    answers.fail(plan.refusals());
                    return CompletableFuture.completedFuture(null);
                });
    }

    private WriteBatch batch(AppendPlan plan) {
        WriteBatch batch = schema.firestore().batch();
        if (plan.places().stream().anyMatch(place -> place.request().token() == null)) {
            Map<Integer, Long> numbers = plan.numbers();
            List<Long> ofRequests = IntStream.range(0, requests.size())
                    .mapToObj(index -> numbers.getOrDefault(index, 0L))
                    .toList();
            tokens.create(
                    batch, commit.token(), TokenDocument.ofNumbers(TokenDocument.Kind.APPENDS, sequence, ofRequests));
        }
        for (AppendPlan.Place place : plan.places()) {
            IdempotencyToken token = place.request().token();
            if (token != null) {
                tokens.create(batch, token, TokenDocument.of(sequence, place.number(), place.request()));
            }
        }
        plan.writeTo(batch, schema, sequence);
        return batch;
    }

    /**
     * Continues after a create that failed because its document exists: the commit was applied before or never will be.
     */
    private CompletableFuture<Void> settle(AppendPlan plan) {
        return tokens.read(List.of(commit.token()), commit).thenCompose(found -> {
            TokenDocument own = found.get(commit.token());
            if (own != null && !own.isVoid()) {
                return answers.answerWith(plan.numbers()).thenRun(() -> answers.fail(plan.refusals()));
            }
            return answers.answerRepeated(answers.open()).thenCompose(repeated -> {
                if (own != null) {
                    answers.open().forEach(index -> answers.put(index, Result.retry()));
                    return CompletableFuture.completedFuture(null);
                }
                return repeated ? findAndAppend() : appendAfterConflict();
            });
        });
    }

    private CompletableFuture<Void> appendAfterConflict() {
        commit.reportConflict(List.of(sequence));
        conflicts++;
        if (commit.remaining().toNanos() <= 0) {
            answers.fail(
                    answers.open(),
                    new ContentionException("appending to '" + sequence + "': other writers took the number "
                            + conflicts + " times before the deadline; nothing was applied"));
            return CompletableFuture.completedFuture(null);
        }
        // No pause after the first conflict: the other writer has one commit in flight, which has just ended.
        return conflicts == 1
                ? findAndAppend()
                : schema.timers().afterPause(commit, conflicts + 1, this::findAndAppend);
    }

    private static Entry entry(AppendPlan.Place place, Timestamp at) {
        AppendRequest request = place.request();
        return new Entry(
                place.number(),
                EntryDocument.entryTime(at),
                request.change(),
                request.subject(),
                request.fields(),
                place.liveCount(),
                false);
    }
}
