package io.counterkit.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Transaction;
import com.google.cloud.firestore.TransactionOptions;
import io.counterkit.spi.Call;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Single attempts at a transaction. The client's own repetition is turned off, since it repeats a transaction whose
 * reply was lost; the marker that each of ours creates makes repetition harmless, and {@link Sender} does it.
 */
final class Transactions {
    static final TransactionOptions ONCE = TransactionOptions.createReadWriteOptionsBuilder()
            .setNumberOfAttempts(1)
            .build();

    private Transactions() {}

    /**
     * One attempt. When the time of the call is over the transaction is rolled back: one that is left alone would keep
     * its locks, and stop every add to its counter, for a minute.
     */
    static <T> ApiFuture<T> once(Firestore firestore, Call call, Function<Transaction, ApiFuture<T>> body) {
        return firestore.runAsyncTransaction(
                transaction -> {
                    CompletableFuture<T> bounded = Futures.of(call, () -> body.apply(transaction));
                    return Futures.toApi(bounded);
                },
                ONCE);
    }
}
