package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Followers that keep their position in a counter, with faults of that counter's store. */
class CheckpointTest {
    private final InMemoryStore store = InMemoryStore.create();
    private final InMemoryStore checkpoints = InMemoryStore.create();
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final Counters others = Counters.over(
            InMemoryBackend.over(checkpoints),
            CountersOptions.builder().deadline(Duration.ofSeconds(2)).build());
    private final Sequence orders = counters.sequence("orders");
    private final Counter checkpoint = others.counter("mailed");
    private final Counter total =
            Counters.over(InMemoryBackend.over(checkpoints)).counter("mailed");
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        checkpoints.faults().clear();
        counters.close();
        others.close();
    }

    private void append(int count) {
        for (int i = 0; i < count; i++) {
            orders.next();
        }
    }

    private Follower follow() {
        return follow(entry -> numbers.add(entry.number()));
    }

    private Follower follow(Consumer<Entry> consumer) {
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(2)).withFailures(failures::add);
        return orders.follow(checkpoint, options, consumer);
    }

    private static List<Long> numbers(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }

    private void awaitTotal(long position) {
        await().untilAsserted(() -> assertThat(total.get()).isEqualTo(position));
    }

    private void followTo(long position) {
        try (Follower follower = follow()) {
            await().until(() -> follower.position() == position);
        }
        assertThat(total.get()).isEqualTo(position);
    }

    @Test
    void nextFollowerContinuesAfterTheCheckpoint() {
        append(3);
        Follower first = follow();
        awaitTotal(3);
        assertThat(first.position()).isEqualTo(3);
        first.close();
        append(2);
        follow();
        awaitTotal(5);
        assertThat(numbers).isEqualTo(numbers(1, 5));
        assertThat(failures).isEmpty();
    }

    /** The tail is due after a minute, since the store reports entries; the checkpoint is due after a cadence. */
    @Test
    void restingFollowerStoresItsCheckpoint() {
        append(2);
        orders.follow(checkpoint, FollowOptions.defaults(), entry -> numbers.add(entry.number()));
        awaitTotal(2);
    }

    @Test
    void closeOfTheCountersStoresTheCheckpoint() {
        append(200);
        Semaphore permits = new Semaphore(150);
        follow(entry -> {
            if (!permits.tryAcquire()) {
                throw new IllegalStateException("a test's consumer that stops");
            }
        });
        await().until(() -> !failures.isEmpty());
        counters.close();
        assertThat(total.get()).isEqualTo(150);
    }

    @Test
    void lateStore_doesNotMoveTheCheckpointBeyondTheLastEntry() {
        Follower follower = follow();
        append(2);
        awaitTotal(2);
        Injection held = checkpoints.faults().inject(Fault.HOLD, Calls.next().skipping(1)); // the read, then the add
        append(3);
        await().until(() -> held.hits() == 1);
        append(4);
        await().until(() -> failures.stream().anyMatch(OutcomeUnknownException.class::isInstance));
        awaitTotal(9);
        held.release();
        follower.close();
        assertThat(total.get()).isEqualTo(9);
        assertThat(numbers).isEqualTo(numbers(1, 9));
    }

    @Test
    void lostReplyOfAStore_isNotCountedTwice() {
        Follower follower = follow();
        append(2);
        awaitTotal(2);
        Injection lost =
                checkpoints.faults().inject(Fault.LOSE_REPLY, Calls.next().skipping(1));
        append(3);
        await().until(() -> lost.hits() == 1);
        append(1);
        awaitTotal(6);
        follower.close();
        assertThat(total.get()).isEqualTo(6);
    }

    @Test
    void outageOfTheCheckpoint_isReportedAndDelaysNoEntry() {
        Follower follower = follow();
        append(1);
        awaitTotal(1);
        Injection dead = checkpoints.faults().inject(Fault.FAIL, Calls.all());
        append(5);
        await().until(() -> numbers.size() == 6 && !failures.isEmpty());
        assertThat(failures).allSatisfy(failure -> assertThat(failure).isInstanceOf(CounterException.class));
        dead.release();
        awaitTotal(6);
        follower.close();
        assertThat(numbers).isEqualTo(numbers(1, 6));
    }

    @Test
    void crashRepeatsWhatWasNotStored() {
        append(1);
        followTo(1);
        Injection dead = checkpoints.faults().inject(Fault.FAIL, Calls.all().skipping(1));
        append(4);
        Follower crashed = follow();
        await().until(() -> numbers.contains(5L));
        crashed.close();
        dead.release();
        assertThat(total.get()).isEqualTo(1);
        numbers.clear();
        follow();
        awaitTotal(5);
        assertThat(numbers).isEqualTo(numbers(2, 5));
    }

    /** Tokens of the time before are refused; the follower then uses others. */
    @Test
    void checkpointThatWasSetBack_movesAgain() {
        append(6);
        followTo(6);
        total.reset();
        append(1);
        numbers.clear();
        try (Follower again = follow()) {
            await().until(() -> again.position() == 7);
            append(1);
            awaitTotal(8);
        }
        assertThat(numbers).isEqualTo(numbers(1, 8));
    }

    /** The add that moves the checkpoint is the same as before, and is known by its token. */
    @Test
    void checkpointThatWasSetBack_movesToTheSameEntryAgain() {
        append(6);
        followTo(6);
        total.reset();
        followTo(6);
        total.delete();
        followTo(6);
        assertThat(numbers).hasSize(18);
        followTo(6);
        assertThat(numbers).hasSize(18);
        assertThat(failures).isEmpty();
    }

    @Test
    void follower_startsAtThePositionThatTheApplicationAdds() {
        append(5);
        total.add(3);
        follow();
        awaitTotal(5);
        assertThat(numbers).containsExactly(4L, 5L);
    }

    /** Two followers, one of which stops for a while, in which the other one moves the checkpoint. */
    @Test
    void overtakenFollower_doesNotMoveTheCheckpoint() {
        Semaphore permits = new Semaphore(2);
        List<Long> slow = new CopyOnWriteArrayList<>();
        try (Follower behind = follow(entry -> {
            permits.acquireUninterruptibly();
            slow.add(entry.number());
        })) {
            append(2);
            awaitTotal(2);
            append(3);
            try (Follower ahead = follow()) {
                awaitTotal(5);
                permits.release(2);
                await().until(() -> behind.position() == 4);
                append(1);
                awaitTotal(6);
                permits.release(100);
                await().until(() -> behind.position() == 6 && ahead.position() == 6);
            }
            append(1);
            awaitTotal(7);
        }
        assertThat(slow).isEqualTo(numbers(1, 7));
        assertThat(numbers).isEqualTo(numbers(3, 6));
        assertThat(failures).isEmpty();
    }

    /** The number is the key: an add with a token made of it counts once, however often the entry is delivered. */
    @Test
    void addsUnderTheNumber_countOnce() {
        for (int i = 0; i < 5; i++) {
            orders.append(Map.of("items", 2L));
        }
        Counter items = counters.counter("items");
        for (int follower = 0; follower < 3; follower++) {
            try (Follower each = orders.follow(1, entry -> {
                items.add((Long) entry.fields().get("items"), IdempotencyToken.of("items of " + entry.number()));
                numbers.add(entry.number());
            })) {
                await().until(() -> each.position() == 5);
            }
        }
        assertThat(numbers).hasSize(15);
        assertThat(items.get()).isEqualTo(10);
    }
}
