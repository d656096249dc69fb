package io.counterkit.datastore.internal.chain;

import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.spi.Call;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Lets a rare change of a chain go before the stream of others in this process. Where the store locks what is read, all who
 * want to write it at once wait for each other, the last one to come wins, and the others lose seconds: one seal would meet
 * the adds again and again, until its time is over. Other processes know nothing of it. Thread-safe.
 */
final class PriorityGate {
    private final ConcurrentMap<ChainName, CountDownLatch> ahead = new ConcurrentHashMap<>();

    /** Carries out a rare change; others that come meanwhile stand back. */
    <R> R first(ChainName chain, Call call, Supplier<R> change) {
        standBack(chain, call);
        CountDownLatch done = new CountDownLatch(1);
        boolean isFirst = ahead.putIfAbsent(chain, done) == null;
        try {
            return change.get();
        } finally {
            if (isFirst) {
                ahead.remove(chain);
                done.countDown();
            }
        }
    }

    /** Waits for the rare change that is carried out now, if there is one; not for long, since its call may hang. */
    void standBack(ChainName chain, Call call) {
        CountDownLatch done = ahead.get(chain);
        if (done == null) {
            return;
        }
        try {
            boolean unused = done.await(call.remaining().toNanos() / 4, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // whoever tries sees it
        }
    }
}
