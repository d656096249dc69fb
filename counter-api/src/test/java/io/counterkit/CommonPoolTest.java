package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.fixture.ChildJvm;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The JDK's common pool belongs to the application: calls end at their deadlines while it is busy. In a JVM of its own,
 * whose common pool has two threads on every machine: where it would have one, the JDK does not use it for its timers.
 */
class CommonPoolTest {
    private static final int MANY = 50;
    private static final Duration DEADLINE = Duration.ofMillis(200);

    @Test
    void silentStoreAndABusyCommonPool_callsEndAtTheirDeadlines() throws Exception {
        assertThat(ChildJvm.run(Calls.class, "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"))
                .contains("all ended");
    }

    /** The program. */
    static final class Calls {
        private static final CountDownLatch OVER = new CountDownLatch(1);

        private Calls() {}

        public static void main(String[] arguments) throws Exception {
            try {
                for (int i = 0; i < MANY; i++) {
                    ForkJoinPool.commonPool().execute(Calls::awaitOver);
                }
                check(ForkJoinPool.commonPool().getQueuedSubmissionCount() > 0, "the common pool is busy");
                for (BatchLimits limits : List.of(BatchLimits.none(), BatchLimits.ofWeight(10))) {
                    callsOf(limits);
                }
                check(RampUpLimiter.of(1000, 1, Duration.ofMinutes(1), System::nanoTime), 2);
            } finally {
                OVER.countDown();
            }
            System.out.println("all ended");
        }

        private static void callsOf(BatchLimits limits) throws Exception {
            ScriptedBackend silent = ScriptedBackend.of(limits);
            silent.answerAll(CompletableFuture::new);
            Counters counters = Counters.over(
                    silent,
                    CountersOptions.builder()
                            .deadline(DEADLINE)
                            .drainTimeout(DEADLINE)
                            .build());
            Counter likes = counters.counter("likes");
            Sequence invoices = counters.sequence("invoices");
            List<CompletableFuture<?>> calls = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                calls.add(likes.async().add(1));
                calls.add(likes.async().read(Duration.ZERO));
                calls.add(invoices.async().append(Map.of()));
            }
            Thread caller = Thread.currentThread(); // runs the callback of a call that has ended already
            for (CompletableFuture<?> call : calls) {
                CompletableFuture<?> unused = call.whenComplete((value, failure) -> {
                    if (Thread.currentThread() != caller) {
                        awaitOver();
                    }
                });
            }
            // Callbacks that block delay no other call. Do not join these futures: that could run the callbacks here.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (System.nanoTime() - end < 0 && !calls.stream().allMatch(CompletableFuture::isDone)) {
                LockSupport.parkNanos(1_000_000);
            }
            check(calls.stream().allMatch(CompletableFuture::isCompletedExceptionally), "asynchronous calls end");
            checkEnded(() -> {
                likes.add(1);
                return "added";
            });
            checkEnded(likes::get);
            checkEnded(likes.async().add(1));
            CompletableFuture<Void> last = likes.async().add(1);
            try {
                counters.close();
            } catch (OutcomeUnknownException e) {
                check(e.getMessage().contains("closed"), e.getMessage());
            }
            checkEnded(last);
        }

        private static void check(RampUpLimiter ramp, int rounds) throws Exception {
            for (int i = 0; i < rounds; i++) {
                ramp.reserve(200);
                ramp.whenFree(1).get(20, TimeUnit.SECONDS);
            }
        }

        private static void checkEnded(Supplier<?> call) {
            try {
                check(false, "a call to a silent store returned " + call.get());
            } catch (CounterException e) {
                check(e.getMessage().contains("deadline"), e.getMessage());
            }
        }

        private static void checkEnded(CompletableFuture<?> call) throws Exception {
            try {
                Object value = call.get(20, TimeUnit.SECONDS);
                check(false, "an asynchronous call to a silent store has the value " + value);
            } catch (ExecutionException e) {
                check(e.getCause() instanceof CounterException, String.valueOf(e.getCause()));
            }
        }

        private static void check(boolean isSo, String what) {
            if (!isSo) {
                throw new IllegalStateException("not so: " + what);
            }
        }

        private static void awaitOver() {
            try {
                if (!OVER.await(1, TimeUnit.MINUTES)) {
                    throw new IllegalStateException("never over");
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
