package io.counterkit.firestore.internal.transaction;

import com.google.cloud.firestore.Transaction;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.TransactionFunction;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.GivenUpException;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.counter.CounterCache;
import io.counterkit.firestore.internal.counter.CounterDocument;
import io.counterkit.firestore.internal.counter.CounterWrites;
import io.counterkit.firestore.internal.read.RollupWorker;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TransactionToken;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of the application, attempted until it is applied once. Each attempt reads the token document first.
 * The retries of Google's client, which would run the function again after a lost reply, are turned off.
 */
public final class TransactionRun {
    /**
     * The most attempts in a row that may fail because a document exists or is missing, or with an invalid argument,
     * while no other writer appends. Up to this number, the cause is assumed to be another writer or a lost reply;
     * beyond it, the function.
     */
    private static final int MOST_AMBIGUOUS = 10;

    private final FirestoreSchema schema;
    private final FirestoreSequences sequences;
    private final CounterCache cache;
    private final RollupWorker rollups;
    private final IdempotencyToken token;
    private final TransactionFunction body;
    private final Call call;
    private final AtomicInteger ambiguous = new AtomicInteger();
    private volatile long start;
    private volatile boolean isCommitting;
    private volatile boolean isInDoubt;
    private volatile boolean isShardMissing;
    private volatile List<String> changed = List.of();
    private volatile List<Long> numbers = List.of();
    private volatile @Nullable StagedTransaction last;
    private volatile @Nullable Throwable ofBody;

    public TransactionRun(
            FirestoreSchema schema,
            FirestoreSequences sequences,
            CounterCache cache,
            RollupWorker rollups,
            IdempotencyToken token,
            TransactionFunction body,
            Call call) {
        this.schema = schema;
        this.sequences = sequences;
        this.cache = cache;
        this.rollups = rollups;
        this.token = token;
        this.body = body;
        this.call = call;
    }

    public CompletableFuture<TransactionResult> run() {
        return attempt(1)
                .whenComplete((done, failure) -> rollups.markDue(changed))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(outcomeOf(failure)));
    }

    private CompletableFuture<TransactionResult> attempt(int attempts) {
        start = System.nanoTime();
        isCommitting = false;
        return schema.client()
                .once(call, () -> schema.firestore().runTransaction(this::write, Transactions.ONCE_BLOCKING))
                .exceptionallyCompose(failure -> afterFailure(Futures.unwrap(failure), attempts));
    }

    private TransactionResult write(Transaction transaction) throws Exception {
        TransactionToken stored = TransactionToken.read(schema, sequences.tokens(), transaction, token);
        if (stored.document() != null) {
            return repeated(stored.document());
        }
        StagedTransaction staged = new StagedTransaction(sequences, call, transaction);
        last = staged;
        runBody(staged);
        changed = List.copyOf(staged.deltas().keySet());
        if (!staged.numbers().equals(numbers)) {
            // Another writer has used the numbers of the attempt before, so their entries exist.
            ambiguous.set(0);
            numbers = staged.numbers();
        }
        CounterWrites adds = adds(staged.deltas());
        stored.creation()
                .accept(TokenDocument.ofNumbers(TokenDocument.Kind.TRANSACTION, "transaction", staged.numbers()));
        staged.writeAppends(schema);
        adds.writeTo(transaction);
        isCommitting = true;
        return new TransactionResult(staged.numbers(), false);
    }

    private void runBody(StagedTransaction staged) throws Exception {
        try {
            body.run(staged);
        } catch (Throwable e) {
            ofBody = Futures.unwrap(e);
            throw e;
        }
    }

    private CounterWrites adds(Map<String, Long> deltas) {
        Map<String, CounterDocument> counters = (isShardMissing
                        ? cache.read(deltas.keySet(), call)
                        : cache.rememberedOrRead(deltas.keySet(), call))
                .join();
        CounterWrites writes = new CounterWrites(schema);
        deltas.forEach((name, delta) -> {
            CounterDocument counter = Objects.requireNonNull(counters.get(name));
            CounterException refusal = counter.refusal(name);
            if (refusal != null) {
                throw refusal;
            }
            int shard = ThreadLocalRandom.current().nextInt(counter.shards());
            writes.add(name, counter, schema.shard(name, shard), delta, isShardMissing);
        });
        return writes;
    }

    private TransactionResult repeated(TokenDocument document) {
        if (document.kind() != TokenDocument.Kind.TRANSACTION) {
            throw new TokenRefusedException("transaction", token, document.resolution(null));
        }
        return new TransactionResult(document.numbers(), true);
    }

    private CompletableFuture<TransactionResult> afterFailure(Throwable cause, int attempts) {
        if (isCommitting && FirestoreErrors.isClosedTransaction(cause)) {
            return afterClosed(cause, attempts);
        }
        boolean isOfBody = isGivenUpByBody(cause);
        StoreError error = isOfBody ? StoreError.REFUSED : FirestoreErrors.of(cause);
        // With a missing shard, the counter's document is updated only if it is unchanged since it was read.
        boolean isStale = isCommitting && isShardMissing && FirestoreErrors.isStale(cause);
        boolean isDefinite = error == StoreError.EXISTS || error == StoreError.MISSING || isStale;
        // A read of the function that was given up is no commit.
        isInDoubt |= cause instanceof GivenUpException givenUp
                ? givenUp.isSent() && cause != ofBody
                : isCommitting && !isDefinite;
        if (isDefinite || FirestoreErrors.isClosedTransaction(cause)) {
            isShardMissing |= error == StoreError.MISSING;
            ambiguous.incrementAndGet();
        } else if (error == StoreError.CONTENTION) {
            call.reportConflict(List.of());
        }
        if (error != StoreError.REFUSED || isStale) {
            return retry(cause, attempts);
        }
        StagedTransaction staged = last;
        boolean isRefusal = cause instanceof SealedException || cause instanceof ChangeRefusedException;
        return isRefusal && staged != null
                ? afterRefusal(staged, (CounterException) cause, attempts)
                : CompletableFuture.failedFuture(cause);
    }

    /**
     * Fails with the refusal of a change, unless the token was used since it was read, or a sequence has grown since
     * its tail was found. There is no commit that would detect this.
     */
    private CompletableFuture<TransactionResult> afterRefusal(
            StagedTransaction staged, CounterException refusal, int attempts) {
        return sequences.tokens().read(List.of(token), call).thenCompose(found -> {
            TokenDocument document = found.get(token);
            if (document != null) {
                return CompletableFuture.completedFuture(repeated(document));
            }
            return staged.isAnyGrown()
                    .thenCompose(
                            isGrown -> isGrown ? retry(refusal, attempts) : CompletableFuture.failedFuture(refusal));
        });
    }

    /**
     * Continues after the transaction was closed. Either the client repeated a commit whose reply was lost, or the
     * function writes something invalid. From this attempt, the token document either exists now or never will.
     */
    private CompletableFuture<TransactionResult> afterClosed(Throwable cause, int attempts) {
        boolean wasInDoubt = isInDoubt;
        isInDoubt = true;
        return sequences.tokens().read(List.of(token), call).thenCompose(found -> {
            TokenDocument document = found.get(token);
            if (document != null) {
                return CompletableFuture.completedFuture(repeated(document));
            }
            isInDoubt = wasInDoubt;
            ambiguous.incrementAndGet();
            return retry(cause, attempts);
        });
    }

    private CompletableFuture<TransactionResult> retry(Throwable cause, int attempts) {
        if (ambiguous.get() > MOST_AMBIGUOUS
                || cause instanceof TimeoutException
                || call.remaining().toNanos() <= 0) {
            return CompletableFuture.failedFuture(cause);
        }
        call.reportRetry(cause);
        long tookNanos = FirestoreErrors.of(cause) == StoreError.CONTENTION ? System.nanoTime() - start : 0;
        return schema.timers().afterPause(call, attempts, tookNanos, () -> attempt(attempts + 1));
    }

    /**
     * Returns whether the function itself gave up, or Google's client before the commit. The backend gives up with its
     * own exception, also when it is closed.
     */
    private boolean isGivenUpByBody(Throwable cause) {
        return !isCommitting && FirestoreErrors.isGivenUp(cause) && !(cause instanceof GivenUpException);
    }

    /**
     * Returns the exception of the function itself, unless an earlier attempt may have been applied. If the client or
     * this class fails otherwise, for example because the backend was closed, nothing was applied.
     */
    private Throwable outcomeOf(Throwable failure) {
        Throwable cause = Futures.unwrap(failure);
        if (isInDoubt) {
            return new OutcomeUnknownException(
                    "transaction: the store did not say whether it was applied (" + Reasons.of(cause)
                            + "); repeat it with token " + token + ", or resolve the token",
                    token,
                    cause);
        }
        boolean isOfBody = cause == ofBody && (!FirestoreErrors.isOfStore(cause) || isGivenUpByBody(cause));
        return isOfBody ? cause : FirestoreErrors.notApplied("transaction", cause);
    }
}
