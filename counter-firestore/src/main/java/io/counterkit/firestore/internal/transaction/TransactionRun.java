package io.counterkit.firestore.internal.transaction;

import com.google.cloud.firestore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.TransactionFunction;
import io.counterkit.firestore.TransactionResult;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.client.Transactions;
import io.counterkit.firestore.internal.counter.AddWrites;
import io.counterkit.firestore.internal.counter.ShardCounts;
import io.counterkit.firestore.internal.counter.ShardRateLimiter;
import io.counterkit.firestore.internal.read.RollupWorker;
import io.counterkit.firestore.internal.sequence.FirestoreSequences;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.firestore.internal.token.TokenStore;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One transaction of the caller's, attempted until it is applied once. Each attempt looks for the marker first. The
 * client's own repetition, which would run the body again after a lost reply, is turned off.
 */
public final class TransactionRun {
    /**
     * How often a document that is there, or is not, is taken for a rival's doing, and an invalid argument for the trace
     * of a lost reply, before it is taken for the body's.
     */
    private static final int MOST_SURPRISES = 10;

    private final FirestoreSchema schema;
    private final FirestoreSequences sequences;
    private final ShardCounts shardCounts;
    private final RollupWorker rollups;
    private final IdempotencyToken token;
    private final TransactionFunction body;
    private final Call call;
    private volatile long began;
    private volatile boolean isCommitting;
    private volatile boolean isInDoubt;
    private volatile boolean isShardMissing;
    private volatile List<String> changed = List.of();
    private final AtomicInteger surprises = new AtomicInteger();

    public TransactionRun(
            FirestoreSchema schema,
            FirestoreSequences sequences,
            ShardCounts shardCounts,
            RollupWorker rollups,
            IdempotencyToken token,
            TransactionFunction body,
            Call call) {
        this.schema = schema;
        this.sequences = sequences;
        this.shardCounts = shardCounts;
        this.rollups = rollups;
        this.token = token;
        this.body = body;
        this.call = call;
    }

    public CompletableFuture<TransactionResult> run() {
        return attempt(0)
                .whenComplete((done, failure) -> rollups.changed(changed))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(outcomeOf(failure)));
    }

    private CompletableFuture<TransactionResult> attempt(int attempts) {
        began = System.nanoTime();
        isCommitting = false;
        return schema.requests()
                .of(call, () -> schema.firestore().runTransaction(this::writeIn, Transactions.ONCE_BLOCKING))
                .exceptionallyCompose(failure -> afterFailure(FirestoreErrors.unwrapped(failure), attempts));
    }

    private TransactionResult writeIn(Transaction transaction) throws Exception {
        TokenStore.InTransaction standing = sequences.tokens().read(transaction, token);
        if (standing.marker() != null) {
            return repeated(standing.marker());
        }
        StagedTransaction work = new StagedTransaction(sequences, call, transaction);
        body.run(work);
        List<String> counters = List.copyOf(work.deltas().keySet());
        changed = counters;
        AddWrites adds = new AddWrites(
                schema,
                ShardRateLimiter.NONE,
                work.deltas(),
                (isShardMissing ? shardCounts.read(counters, call) : shardCounts.of(counters, call)).join());
        if (isShardMissing) {
            adds.makeShards();
        }
        TokenDocument own = TokenDocument.ofNumbers(TokenDocument.Kind.TRANSACTION, "transaction", work.numbers());
        standing.creation().accept(own);
        work.writeAppends(schema);
        adds.writeTo(transaction);
        isCommitting = true;
        return new TransactionResult(work.numbers(), false);
    }

    private TransactionResult repeated(TokenDocument marker) {
        if (marker.kind() != TokenDocument.Kind.TRANSACTION) {
            throw new TokenRefusedException("transaction: token " + token + " stands for " + marker.resolution(null));
        }
        return new TransactionResult(marker.numbers(), true);
    }

    private CompletableFuture<TransactionResult> afterFailure(Throwable cause, int attempts) {
        if (isCommitting && FirestoreErrors.isClosedTransaction(cause)) {
            return afterClosed(cause, attempts);
        }
        boolean isOfBody = isTimeoutOfBody(cause);
        StoreError error = isOfBody ? StoreError.REFUSED : FirestoreErrors.of(cause);
        boolean isDefinite = error == StoreError.EXISTS || error == StoreError.MISSING;
        isInDoubt |= cause instanceof TimeoutException ? !isOfBody : isCommitting && !isDefinite;
        if (isDefinite || FirestoreErrors.isClosedTransaction(cause)) {
            isShardMissing |= error == StoreError.MISSING;
            surprises.incrementAndGet();
        } else if (error == StoreError.CONTENTION) {
            call.reportConflict(List.of());
        }
        return error == StoreError.REFUSED ? CompletableFuture.failedFuture(cause) : again(cause, attempts);
    }

    /**
     * Either the client has repeated a commit whose reply was lost, or the body writes what the store does not take. The
     * transaction is over, so its marker is there by now or never will be.
     */
    private CompletableFuture<TransactionResult> afterClosed(Throwable cause, int attempts) {
        boolean wasInDoubt = isInDoubt;
        isInDoubt = true;
        return sequences.tokens().read(List.of(token), call).thenCompose(found -> {
            TokenDocument marker = found.get(token);
            if (marker != null) {
                return CompletableFuture.completedFuture(repeated(marker));
            }
            isInDoubt = wasInDoubt;
            surprises.incrementAndGet();
            return again(cause, attempts);
        });
    }

    private CompletableFuture<TransactionResult> again(Throwable cause, int attempts) {
        boolean isHopeless = surprises.get() > MOST_SURPRISES
                || cause instanceof TimeoutException
                || call.remaining().toNanos() <= 0;
        if (isHopeless) {
            return CompletableFuture.failedFuture(cause);
        }
        call.reportRetry(cause);
        long tookNanos = FirestoreErrors.of(cause) == StoreError.CONTENTION ? System.nanoTime() - began : 0;
        return schema.requests().afterPause(call, attempts, tookNanos, () -> attempt(attempts + 1));
    }

    /** Ours comes when the time is over. */
    private boolean isTimeoutOfBody(Throwable cause) {
        return cause instanceof TimeoutException && call.remaining().toNanos() > 0;
    }

    /** What the body throws is passed on as it is, unless an earlier attempt may have been applied. */
    private Throwable outcomeOf(Throwable failure) {
        Throwable cause = FirestoreErrors.unwrapped(failure);
        if (isInDoubt) {
            return new OutcomeUnknownException(
                    "transaction: the store did not say whether it was applied (" + cause.getMessage()
                            + "); repeat it with token " + token + " or resolve that",
                    token,
                    cause);
        }
        return FirestoreErrors.isOfStore(cause) && !isTimeoutOfBody(cause)
                ? FirestoreErrors.notApplied("transaction", cause)
                : cause;
    }
}
