package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Listening;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower of a backend that reports new entries. */
class ListeningFollowerTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(5);

    private final ScriptedBackend backend = ScriptedBackend.obedient(BatchLimits.none());
    private final Counters counters = Counters.over(backend);
    private final AtomicLong last = new AtomicLong();
    private final AtomicInteger closed = new AtomicInteger();
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile boolean isLive = true;
    private volatile Runnable report = () -> {};

    @BeforeEach
    void script() {
        backend.listen(this::listen);
        backend.others().on("tail", () -> {
            long end = last.get();
            return CompletableFuture.completedFuture(new Tail(end, end, null));
        });
        backend.others().on("entries", () -> CompletableFuture.completedFuture(entriesAsked()));
    }

    private List<Entry> entriesAsked() {
        String[] asked = backend.others().asked().stream()
                .filter(call -> call.startsWith("entries"))
                .reduce((first, second) -> second)
                .orElseThrow()
                .split(" ", 4);
        return LongStream.rangeClosed(Long.parseLong(asked[2]), Long.parseLong(asked[3]))
                .mapToObj(number -> ScriptedBackend.entry(number, AppendRequest.of(Map.of(), null)))
                .toList();
    }

    private Listening listen(Runnable changed) {
        report = changed;
        return new Listening() {
            @Override
            public boolean isLive() {
                return isLive;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    @AfterEach
    void close() {
        counters.close();
    }

    private Follower follow(Duration cadence) {
        return counters.sequence("orders")
                .follow(
                        1,
                        FollowOptions.defaults().withCadence(cadence).withFailures(failures::add),
                        entry -> numbers.add(entry.number()));
    }

    private long tailReads() {
        return tailReads("orders");
    }

    private long tailReads(String sequence) {
        return backend.others().asked().stream()
                .filter(call -> call.equals("tail " + sequence))
                .count();
    }

    @Test
    void reportEndsALongPause() {
        follow(LONG);
        await().until(() -> tailReads() == 1);
        for (long number = 1; number <= 3; number++) {
            last.set(number);
            report.run();
            long next = number;
            await().until(() -> numbers.contains(next));
        }
        assertThat(numbers).containsExactly(1L, 2L, 3L);
        assertThat(failures).isEmpty();
    }

    /** The entry is appended and reported while the answer to the read of the tail before it is on its way. */
    @Test
    void reportDuringARead_isKept() {
        CompletableFuture<Tail> first = new CompletableFuture<>();
        backend.others().on("tail", () -> first);
        follow(LONG);
        await().until(() -> tailReads() == 1);
        backend.others().answer("tail", new Tail(1, 1, null));
        report.run();
        first.complete(Tail.EMPTY);
        await().until(() -> numbers.contains(1L));
    }

    @Test
    void lostReport_delaysAnEntryAndLosesNone() {
        follow(SHORT);
        await().until(() -> tailReads() >= 1);
        last.set(2);
        await().until(() -> numbers.contains(2L));
        assertThat(numbers).containsExactly(1L, 2L);
    }

    @Test
    void backendThatDoesNotListenAnyMore_isPolledOncePerCadence() {
        isLive = false;
        follow(SHORT);
        last.set(1);
        await().until(() -> numbers.contains(1L) && tailReads() > 10);
        assertThat(failures).isEmpty();
    }

    @Test
    void idleFollowerOfAListeningBackend_readsRarely() {
        Duration cadence = Duration.ofMillis(20); // on a busy machine, a read may come some cadences late
        follow(cadence);
        await().until(() -> tailReads() >= 1);
        backend.listen(changed -> null);
        counters.sequence("invoices").follow(1, FollowOptions.defaults().withCadence(cadence), entry -> {});
        await().until(() -> tailReads("invoices") > 60);
        assertThat(tailReads()).isLessThan(tailReads("invoices") / 3);
    }

    @Test
    void failureToListen_isReportedAndRepeated() {
        AtomicInteger attempts = new AtomicInteger();
        backend.listen(changed -> {
            if (attempts.incrementAndGet() == 1) {
                throw new IllegalStateException("a test's backend that cannot listen yet");
            }
            return listen(changed);
        });
        last.set(1);
        follow(LONG);
        await().until(() -> numbers.contains(1L));
        assertThat(failures).singleElement().asString().contains("cannot listen yet");
    }

    @Test
    void close_endsTheListening() {
        Follower follower = follow(LONG);
        await().until(() -> tailReads() == 1);
        assertThat(closed).hasValue(0);
        follower.close();
        assertThat(closed).hasValue(1);
        report.run();
        follow(LONG);
        await().until(() -> tailReads() == 2);
        counters.close();
        assertThat(closed).hasValue(2);
    }
}
