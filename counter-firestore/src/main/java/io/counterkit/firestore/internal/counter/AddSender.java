package io.counterkit.firestore.internal.counter;

import io.counterkit.firestore.internal.counter.CounterShards.ShardCount;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends the adds of a commit, as {@link io.counterkit.spi.CounterStore#add} states. Implemented by each write strategy.
 */
public interface AddSender {
    /**
     * Sends the adds.
     *
     * @param known the shard counts of counters that were read just now; may be empty
     */
    CompletableFuture<List<Result<Void>>> send(List<AddRequest> requests, Commit commit, Map<String, ShardCount> known);
}
