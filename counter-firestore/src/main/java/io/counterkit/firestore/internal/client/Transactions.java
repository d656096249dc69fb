package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import com.google.api.core.SettableApiFuture;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.TransactionOptions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Single attempts at a transaction. The retries of Google's client are turned off, since they repeat a transaction
 * whose reply was lost; {@link RetryingClient#commit} retries instead.
 */
public final class Transactions {
    private static final TransactionOptions ONCE = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .build();

    /**
     * A single attempt on its own thread, whose function may block. All clients of a JVM share eight threads, which
     * deliver the answers that a function waits for; blocked functions would soon occupy all of them.
     */
    public static final TransactionOptions ONCE_BLOCKING = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .setExecutor(Transactions::startThread)
            .build();

    private Transactions() {}

    private static void startThread(Runnable task) {
        Thread thread = new Thread(task, "counterkit-transaction");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Attempts a transaction once. Rolls it back when the deadline passes or the backend is closed: an abandoned
     * transaction would keep its locks and block every add to its counter for a minute.
     */
    public static <T> ApiFuture<T> once(FirestoreSchema schema, Call call, Function<Transaction, ApiFuture<T>> body) {
        return schema.client()
                .transactions()
                .add(schema.firestore()
                        .runAsyncTransaction(
                                transaction -> toApi(schema.client().once(call, () -> body.apply(transaction))), ONCE));
    }

    private static <T> ApiFuture<T> toApi(CompletableFuture<T> future) {
        SettableApiFuture<T> result = SettableApiFuture.create();
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> {
            if (failure == null) {
                result.set(value);
            } else {
                result.setException(Futures.unwrap(failure));
            }
        });
        return result;
    }
}
