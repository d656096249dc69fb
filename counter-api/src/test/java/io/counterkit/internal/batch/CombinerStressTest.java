package io.counterkit.internal.batch;

import static io.counterkit.fixture.Replies.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.AsyncCounter;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many threads that block and do not block, on a backend that is slow now and then. Prints its seed. */
class CombinerStressTest {
    private static final int THREADS = 8;
    private static final int ADDS = 2_000;

    /** Longer than all adds take, also on a busy machine. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final List<String> NAMES = List.of("likes", "views", "stars");

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Map<String, LongAdder> surely = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> possibly = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final Set<IdempotencyToken> applied = ConcurrentHashMap.newKeySet();
    private final Set<IdempotencyToken> notApplied = ConcurrentHashMap.newKeySet();

    static Stream<BatchLimits> limits() {
        BatchLimits limits = BatchLimits.ofWeight(4);
        return Stream.of(
                limits,
                limits.withInFlight(3),
                limits.withOnePerName(),
                limits.withCallerRuns(),
                limits.withOnePerName().withCallerRuns());
    }

    @ParameterizedTest
    @MethodSource("limits")
    void everyRequestIsAnsweredAndAppliedOnce(BatchLimits limits) {
        run(limits, LONG, false);

        assertThat(refused).hasValue(0);
        assertThat(NAMES).allSatisfy(name -> assertThat(sum(surely, name)).isEqualTo(sum(possibly, name)));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void everyRequestIsAnsweredTrulyWhileCallersAreInterrupted(BatchLimits limits) {
        run(limits, LONG, true);

        assertThat(NAMES).allSatisfy(name -> assertThat(sum(surely, name)).isPositive());
    }

    @ParameterizedTest
    @MethodSource("limits")
    void everyRequestIsAnsweredTrulyWhileDeadlinesPass(BatchLimits limits) {
        run(limits, Duration.ofMillis(1), false);
    }

    private void run(BatchLimits limits, Duration deadline, boolean interrupting) {
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Caller<?>> callers = new CopyOnWriteArrayList<>();
        AtomicInteger batches = new AtomicInteger();
        try (StressedStore store = new StressedStore(limits, random)) {
            ScriptedBackend backend = ScriptedBackend.of(limits);
            backend.adds().script(sent -> {
                if (batches.incrementAndGet() % 10 == 0 && interrupting && !callers.isEmpty()) {
                    callers.get(random.nextInt(callers.size())).interrupt();
                }
                return store.receive(sent);
            });
            Counters counters = Counters.over(
                    backend,
                    CountersOptions.builder()
                            .queueLimit(100_000)
                            .deadline(deadline)
                            .build());
            for (int i = 0; i < THREADS; i++) {
                Random own = new Random(seed + i);
                callers.add(Caller.running(() -> addMany(counters, own)));
            }

            await().atMost(LONG).until(() -> callers.stream().allMatch(Caller::isDone));
            assertThat(callers).extracting(caller -> (Object) caller.value()).containsOnly("ran");
            for (String name : NAMES) { // the last caller has released the queue
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .ignoreExceptionsInstanceOf(CounterException.class)
                        .untilAsserted(() -> counters.counter(name).add(0));
                assertThat(store.total(name)).isBetween(sum(surely, name), sum(possibly, name));
            }
            assertThat(applied).allMatch(store::wasApplied);
            assertThat(notApplied).noneMatch(store::wasApplied);
            store.assertNoViolations();
        }
    }

    private void addMany(Counters counters, Random random) {
        List<CompletableFuture<?>> replies = new ArrayList<>();
        for (int i = 0; i < ADDS; i++) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            long delta = 1L + random.nextInt(5);
            IdempotencyToken token = random.nextBoolean() ? IdempotencyToken.of("t" + random.nextLong()) : null;
            CompletableFuture<Void> reply = random.nextBoolean()
                    ? addAsync(counters.counter(name).async(), delta, token)
                    : add(counters.counter(name), delta, token);
            replies.add(reply.handle((done, failure) -> note(name, delta, token, failure)));
        }
        replies.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Void> addAsync(
            AsyncCounter counter, long delta, @Nullable IdempotencyToken token) {
        return token == null ? counter.add(delta) : counter.add(delta, token);
    }

    private static CompletableFuture<Void> add(Counter counter, long delta, @Nullable IdempotencyToken token) {
        try {
            if (token == null) {
                counter.add(delta);
            } else {
                counter.add(delta, token);
            }
            return CompletableFuture.completedFuture(null);
        } catch (CounterException e) {
            Thread.interrupted(); // or else every call from now on would end like this one
            return CompletableFuture.failedFuture(e);
        }
    }

    private @Nullable Void note(
            String name, long delta, @Nullable IdempotencyToken token, @Nullable Throwable failure) {
        if (failure == null) {
            surely.computeIfAbsent(name, key -> new LongAdder()).add(delta);
        }
        if (failure == null || failure instanceof OutcomeUnknownException) {
            possibly.computeIfAbsent(name, key -> new LongAdder()).add(delta);
        } else {
            assertThat(failure).isInstanceOf(NotAppliedException.class);
            refused.incrementAndGet();
        }
        if (token != null && failure == null) {
            applied.add(token);
        }
        if (token != null && failure instanceof NotAppliedException) {
            notApplied.add(token);
        }
        return null;
    }

    private static long sum(Map<String, LongAdder> sums, String name) {
        return sums.getOrDefault(name, new LongAdder()).sum();
    }
}
