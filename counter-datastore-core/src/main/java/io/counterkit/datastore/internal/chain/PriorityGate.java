package io.counterkit.datastore.internal.chain;

import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.spi.Call;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Gives a rare change of a chain precedence over the other changes of this process. On a store that locks what it
 * reads, concurrent writers of a chain wait for each other: the last one succeeds and the others lose seconds. So a
 * stream of adds could prevent a seal forever. Other processes are not affected. Thread-safe.
 */
public final class PriorityGate {
    private final ConcurrentMap<ChainName, CountDownLatch> rareChanges = new ConcurrentHashMap<>();

    /** Runs a rare change, while other changes of the chain wait. */
    <R> R runFirst(ChainName chain, Call call, Supplier<R> change) {
        await(chain, call);
        CountDownLatch done = new CountDownLatch(1);
        boolean isFirst = rareChanges.putIfAbsent(chain, done) == null;
        try {
            return change.get();
        } finally {
            if (isFirst) {
                rareChanges.remove(chain);
                done.countDown();
            }
        }
    }

    /** Waits for the rare change that is running, at most for a quarter of the time left, since its call may hang. */
    void await(ChainName chain, Call call) {
        CountDownLatch done = rareChanges.get(chain);
        if (done == null) {
            return;
        }
        try {
            boolean unused = done.await(call.remaining().toNanos() / 4, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // ends the retry loop
        }
    }
}
