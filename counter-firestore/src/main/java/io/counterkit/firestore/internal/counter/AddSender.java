package io.counterkit.firestore.internal.counter;

import io.counterkit.spi.Result;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends the adds of a commit, as {@link io.counterkit.spi.CounterStore#add} states. Implemented by each write strategy, and
 * by adaptive shards around one.
 */
public interface AddSender {
    /** Sends the adds. Reads the shard counts that are not set. */
    CompletableFuture<List<Result<Void>>> send(CommitAdds adds);
}
