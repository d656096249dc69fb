package io.counterkit.firestore.internal.counter;

import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends the adds of a commit, and returns their results as {@link io.counterkit.spi.CounterStore#add} specifies. Each
 * write strategy implements it, and adaptive shards wrap one.
 */
public interface AddSender {
    /** Sends the adds. Reads the documents of counters that the adds do not have yet. */
    CompletableFuture<List<Result<Void>>> send(CommitAdds adds);
}
