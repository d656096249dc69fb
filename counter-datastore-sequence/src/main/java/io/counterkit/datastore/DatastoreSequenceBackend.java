package io.counterkit.datastore;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.common.DatastoreBackend;
import io.counterkit.datastore.internal.client.AppEngineTransaction;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.operation.StagedChanges;
import io.counterkit.datastore.internal.operation.StagedTransaction;

/**
 * Gapless sequences without a counter entity on the App Engine Datastore, and counters on top of them. Follows the
 * whole contract on every kind of Datastore: with eventually consistent and strong queries, with optimistic and
 * pessimistic transactions.
 *
 * <p>Every call to the store is made on the calling thread, since the App Engine API is bound to it. That thread must
 * have an environment, as the threads of requests and of {@code ThreadManager} do; otherwise the operation fails with
 * {@link io.counterkit.NotAppliedException}. If many threads use one name, one of them executes the requests of the
 * others. So do not share one {@code Counters} between requests whose environments must not be mixed; the backend
 * always uses its own namespace. An asynchronous call is complete when it returns, unless another thread executes it.
 *
 * <p>Thread-safe. Create one for each namespace and keep it: it remembers how far each sequence has grown, as a hint.
 */
public final class DatastoreSequenceBackend extends DatastoreBackend<TransactionFunction> {
    private DatastoreSequenceBackend(Namespace namespace, DatastoreClient client, DatastoreSequenceOptions options) {
        super(namespace.name(), client, options, Runnable::run);
    }

    /**
     * Creates a backend on the Datastore of the environment. Its calls end before the deadline of their caller. Use
     * this method unless you have to configure the service.
     */
    public static DatastoreSequenceBackend create(DatastoreSequenceOptions options) {
        Namespace namespace = Namespace.of(options);
        return new DatastoreSequenceBackend(namespace, DatastoreClient.withDeadlines(namespace), options);
    }

    /**
     * Creates a backend that uses {@code datastore} as it is configured. The deadline of the service applies to each
     * single call except the end of a transaction, so a caller may wait beyond its own deadline. With {@code
     * maxEntityGroupsPerRpc(1000)} a page of entries is read in one call instead of ten at a time. Its read policy must
     * be strong; this is not checked.
     */
    public static DatastoreSequenceBackend create(DatastoreService datastore, DatastoreSequenceOptions options) {
        Namespace namespace = Namespace.of(options);
        return new DatastoreSequenceBackend(namespace, DatastoreClient.over(datastore, namespace), options);
    }

    @Override
    public TransactionResult transact(IdempotencyToken token, TransactionFunction function) {
        return run(
                token,
                (transaction, changes) -> function.run(new Staged(AppEngineTransaction.of(transaction), changes)));
    }

    @Override
    public void close() {}

    /** The appends and adds that an application makes in its transaction. */
    private record Staged(Transaction transaction, StagedChanges changes)
            implements SequenceTransaction, StagedTransaction {}
}
