package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.IdempotencyToken;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A store that applies adds, sometimes slowly, and sometimes returns a retry. Checks that no more batches overlap than
 * the limits allow.
 */
final class StressedStore implements AutoCloseable {
    private final Map<String, LongAdder> totals = new ConcurrentHashMap<>();
    private final Set<IdempotencyToken> tokens = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> inFlight = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<CountDownLatch> slow = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BatchLimits limits;
    private final Random random;

    StressedStore(BatchLimits limits, Random random) {
        this.limits = limits;
        this.random = random;
        threads.execute(this::releaseSlowBatches);
    }

    /** Answers a batch; an {@link io.counterkit.fixture.Inbox#script}. */
    CompletableFuture<List<Result<Void>>> receive(Sent<AddRequest, Void> sent) {
        boolean isSlow = random.nextInt(8) == 0;
        int retried = sent.requests().size() > 1 && random.nextInt(8) == 0
                ? random.nextInt(sent.requests().size())
                : -1;
        if (limits.callerRuns()) {
            carryOut(sent, isSlow, retried);
        } else {
            threads.execute(() -> carryOut(sent, isSlow, retried));
        }
        return sent.reply();
    }

    private void carryOut(Sent<AddRequest, Void> sent, boolean isSlow, int retried) {
        String queue = limits.onePerName() ? sent.requests().get(0).name() : "all";
        int most = limits.onePerName() || limits.callerRuns() ? 1 : limits.maxInFlight();
        AtomicInteger count = inFlight.computeIfAbsent(queue, name -> new AtomicInteger());
        if (count.incrementAndGet() > most) {
            violations.add("more than " + most + " batches of " + queue);
        }
        if (isSlow) {
            waitForAnotherThread();
        }
        List<Result<Void>> results = new ArrayList<>();
        for (int i = 0; i < sent.requests().size(); i++) {
            if (i != retried) {
                apply(sent.requests().get(i), queue);
            }
            results.add(i == retried ? Result.retry() : Result.applied());
        }
        count.decrementAndGet();
        sent.answer(results);
    }

    private void apply(AddRequest add, String queue) {
        if (limits.onePerName() && !add.name().equals(queue)) {
            violations.add(add.name() + " shares a batch with " + queue);
        }
        if (add.token() != null && !tokens.add(add.token())) {
            violations.add("sent twice: " + add);
        }
        totals.computeIfAbsent(add.name(), name -> new LongAdder()).add(add.delta());
    }

    private void waitForAnotherThread() {
        CountDownLatch latch = new CountDownLatch(1);
        slow.add(latch);
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                assertThat(latch.await(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseSlowBatches() {
        try {
            while (true) {
                slow.take().countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    long total(String name) {
        return totals.getOrDefault(name, new LongAdder()).sum();
    }

    boolean wasApplied(IdempotencyToken token) {
        return tokens.contains(token);
    }

    void assertNoViolations() {
        assertThat(violations).isEmpty();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
