package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.TransactionOptions;
import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Single attempts at a transaction. The client's own repetition is turned off, since it repeats a transaction whose
 * reply was lost; the marker that each of ours creates makes repetition harmless, and {@link CommitRetrier} does it.
 */
public final class Transactions {
    static final TransactionOptions ONCE = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .build();

    /**
     * The same for a body that may block, on a thread of its own. The eight threads that all clients of a JVM share
     * would soon wait for one another: what a body waits for is handed on by one of them, and so is every reset.
     */
    public static final TransactionOptions ONCE_BLOCKING = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .setExecutor(Transactions::startThread)
            .build();

    private Transactions() {}

    private static void startThread(Runnable body) {
        Thread thread = new Thread(body, "counterkit-transaction");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * One attempt. When the time of the call is over the transaction is rolled back: one that is left alone would keep
     * its locks, and stop every add to its counter, for a minute.
     */
    public static <T> ApiFuture<T> once(FirestoreSchema schema, Call call, Function<Transaction, ApiFuture<T>> body) {
        return schema.firestore()
                .runAsyncTransaction(
                        transaction -> {
                            CompletableFuture<T> bounded = schema.requests().of(call, () -> body.apply(transaction));
                            return Futures.toApi(bounded);
                        },
                        ONCE);
    }
}
