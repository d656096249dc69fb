package io.counterkit.datastore.internal.operation;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.TokenFormat;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Reasons;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One transaction of an application, with its own token. */
public final class ApplicationTransaction {
    /** The work of the application in its transaction. It may run several times. */
    public interface Work {
        void run(StoreTransaction transaction, StagedChanges changes);
    }

    private final DatastoreContext context;
    private final IdempotencyToken token;
    private final Work work;
    private final Call call;
    private final RetryLoop loop;
    private @Nullable RuntimeException failure;

    public ApplicationTransaction(DatastoreContext context, IdempotencyToken token, Work work) {
        Limits.checkCallersToken(token);
        this.context = context;
        this.token = token;
        this.work = work;
        this.call = context.ownCall();
        this.loop = context.loop("transaction " + token, List.of(), call, RetryLoop.coveredBy(() -> token));
    }

    /** Runs the transaction until its outcome is known. Rethrows the application's exceptions. */
    public TransactionResult run() {
        context.client().checkThread();
        try {
            return loop.runInTransaction(this::plan);
        } catch (NotAppliedException e) {
            throw failure != null && e.getCause() == failure ? failure : e;
        }
    }

    private WritePlan<TransactionResult> plan(StoreTransaction transaction) {
        StoreKey key = context.keys().token(token);
        StoreEntity stored = context.client().find(transaction, key, call);
        if (stored != null) {
            return WritePlan.nothing(result(changes(TokenFormat.read(stored)), true));
        }
        StagedChanges staged = new StagedChanges(context, transaction, token, call);
        run(transaction, staged);
        List<StoreEntity> puts = staged.puts();
        TokenNote note = new TokenNote.Transaction(staged.changes());
        puts.add(TokenFormat.entity(context.keys(), token, note, context.expires()));
        return new WritePlan<>(List.of(), puts, List.of(), () -> result(staged.committed(), false));
    }

    private static TransactionResult result(List<Resolution> changes, boolean isRepeated) {
        List<Long> numbers = new ArrayList<>();
        for (Resolution change : changes) {
            if (change instanceof Resolution.Appended appended) {
                numbers.add(appended.number());
            }
        }
        return new TransactionResult(numbers, isRepeated);
    }

    private List<Resolution> changes(TokenNote note) {
        if (note instanceof TokenNote.Transaction first) {
            return first.changes();
        }
        throw new TokenRefusedException("transaction", token, note.resolution(null));
    }

    private void run(StoreTransaction transaction, StagedChanges staged) {
        failure = null;
        try {
            work.run(transaction, staged);
        } catch (CounterException e) {
            if (loop.mayBeApplied()) { // the exception states nothing about an earlier commit
                throw new OutcomeUnknownException(
                        "transaction " + token + ": a commit was sent and its outcome is not known: " + Reasons.of(e),
                        token,
                        e);
            }
            throw e;
        } catch (RuntimeException e) {
            failure = context.client().failure(e).isRetriable() ? null : e;
            throw e;
        }
    }
}
