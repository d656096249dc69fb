package io.counterkit.datastore.cloud;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.Transaction;
import io.counterkit.IdempotencyToken;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.cloud.internal.client.CloudClient;
import io.counterkit.datastore.cloud.internal.client.CloudTransaction;
import io.counterkit.datastore.common.DatastoreBackend;
import io.counterkit.datastore.internal.operation.StagedChanges;
import io.counterkit.datastore.internal.operation.StagedTransaction;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gapless sequences without a counter entity, and counters on top of them, on a Datastore through Google's client
 * {@code google-cloud-datastore}. Works in any environment, with a legacy Datastore and with a Firestore in Datastore
 * mode, optimistic or pessimistic. It stores the same entities as the backend on App Engine's API, and both can write
 * to one sequence at the same time.
 *
 * <p>The client blocks, so operations run on the backend's own threads; waiting requests for one name are combined.
 * Thread-safe. Create one for each namespace and keep it: it remembers how far each sequence has grown, as a hint.
 */
public final class DatastoreCounterBackend extends DatastoreBackend<TransactionFunction> {
    private static final long IDLE_SECONDS = 10;

    private final ExecutorService threads;

    private DatastoreCounterBackend(CloudClient client, DatastoreCounterOptions options, ExecutorService threads) {
        super(options.namespace(), client, options, threads);
        this.threads = threads;
    }

    /** Creates a backend with {@link DatastoreCounterOptions#defaults()}. */
    public static DatastoreCounterBackend create(Datastore datastore) {
        return create(datastore, DatastoreCounterOptions.defaults());
    }

    /**
     * Creates a backend on the store of {@code datastore}, with its project, database, host and credentials. The
     * backend uses its own client. The retries of that client are off, since they can report an applied commit as
     * refused, and its calls end before the deadlines of their callers.
     *
     * @throws IllegalArgumentException if {@code datastore} uses gRPC: this version of the client then calls the live
     *     service even if its host is an emulator
     */
    public static DatastoreCounterBackend create(Datastore datastore, DatastoreCounterOptions options) {
        CloudClient client = CloudClient.like(datastore.getOptions(), options.namespace());
        return new DatastoreCounterBackend(client, options, threads(options.threads()));
    }

    private static ExecutorService threads(int most) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "counterkit-datastore-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    @Override
    public TransactionResult transact(IdempotencyToken token, TransactionFunction function) {
        return run(
                token, (transaction, changes) -> function.run(new Staged(CloudTransaction.of(transaction), changes)));
    }

    /** Ends the threads of this backend after the running operations. Leaves the given client open. */
    @Override
    public void close() {
        threads.shutdown();
    }

    /** The appends and adds that an application makes in its transaction. */
    private record Staged(Transaction transaction, StagedChanges changes)
            implements DatastoreTransaction, StagedTransaction {}
}
