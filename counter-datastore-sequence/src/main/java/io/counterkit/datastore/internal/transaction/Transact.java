package io.counterkit.datastore.internal.transaction;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.datastore.TransactionFunction;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.DatastoreErrors;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One transaction of an application, under a token of its own. */
public final class Transact implements RetryLoop.Attempt<List<Resolution>> {
    private final DatastoreContext parts;
    private final IdempotencyToken token;
    private final TransactionFunction work;
    private final Call call;
    private final Commits commits;
    private @Nullable RuntimeException failure;

    public Transact(DatastoreContext parts, IdempotencyToken token, TransactionFunction work, Call call) {
        this.parts = parts;
        this.token = token;
        this.work = work;
        this.call = call;
        this.commits = new Commits(parts.store(), call);
    }

    @Override
    public List<Resolution> run() {
        Key key = parts.schema().tokenKey(token);
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            Entity used = parts.store().get(transaction, List.of(key), call).get(key);
            if (used != null) {
                return first(DatastoreSchema.note(used));
            }
            StagedChanges staged = new StagedChanges(parts, transaction, token, call);
            runWork(staged);
            List<Entity> puts = staged.puts();
            puts.add(parts.schema().token(token, new TokenNote.Transaction(staged.changes()), parts.expires()));
            parts.store().put(transaction, puts, call);
            commits.send(transaction);
            staged.committed();
            return staged.changes();
        } finally {
            parts.store().end(transaction, call);
        }
    }

    private List<Resolution> first(TokenNote note) {
        if (note instanceof TokenNote.Transaction first) {
            return first.changes();
        }
        throw new TokenRefusedException("transaction: token " + token + " stands for " + note.resolution(null));
    }

    private void runWork(StagedChanges staged) {
        failure = null;
        try {
            work.run(staged);
        } catch (CounterException e) {
            if (commits.mayLand()) { // what the work says of itself tells nothing about the commit that was sent before
                throw new OutcomeUnknownException(
                        "transaction " + token + ": a commit was sent and its outcome is not known: " + Reasons.of(e),
                        token,
                        e);
            }
            throw e;
        } catch (RuntimeException e) {
            failure = DatastoreErrors.of(e).isRetriable() ? null : e;
            throw e;
        }
    }

    /** What the work itself threw last, if its caller is to see that as it is: not what was tried again in vain. */
    @Nullable public RuntimeException failure() {
        return failure;
    }

    @Override
    public boolean mayLand() {
        return commits.mayLand();
    }
}
