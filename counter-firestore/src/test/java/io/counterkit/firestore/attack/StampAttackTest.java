package io.counterkit.firestore.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.firestore.attack.AttackStatistics.Event;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.FirestoreFixture;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attacks adds with stamps: several processes, of which some are killed, some are copies of others and some write
 * without stamps, add to the same counters, alone and in transactions, while calls fail, lose their replies and are
 * delayed, and while the counters are imported, reset, deleted, resharded by calls and by their load, sealed and
 * changed by other software. In the end each add must count once, or never if its outcome says so.
 *
 * <p>A world mostly waits for deadlines and for calls that are held, so several run at once, each on an emulator of its
 * own.
 */
@Tag("exhaustive")
@Timeout(value = 24, unit = TimeUnit.HOURS)
class StampAttackTest {
    private static final int ADDS = Integer.getInteger("counterkit.stamp.adds", 20_000);

    /** No world starts after so many minutes. */
    private static final int MINUTES = Integer.getInteger("counterkit.stamp.minutes", 24 * 60);

    /** More worlds than the processors bear only wait for each other until the deadlines pass. */
    private static final int WORLDS_AT_ONCE = Integer.getInteger("counterkit.stamp.worlds", 4);

    private static final int WORLDS_PER_EMULATOR = 8;

    /** Four checks. The emulator examines all documents of a database for each query, so a small world is faster. */
    private static final int ADDS_PER_WORLD = 3_120;

    private final long seed = Long.getLong("counterkit.seed", new SecureRandom().nextInt(Integer.MAX_VALUE));
    private final long start = System.nanoTime();
    private final AttackStatistics statistics = new AttackStatistics();
    private final AtomicInteger worlds = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger emulators = new AtomicInteger();
    private volatile boolean isFailed;

    @Test
    void everyAddCountsOnce() {
        FirestoreFixture.emulator(); // required
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            inParallel(WORLDS_AT_ONCE, threads, () -> {
                while (hasMore()) {
                    try (FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.defaults())) {
                        emulators.incrementAndGet();
                        for (int i = 0; i < WORLDS_PER_EMULATOR && hasMore(); i++) {
                            attack(emulator);
                        }
                    }
                }
            });
        } finally {
            threads.shutdown();
            report();
        }
        assertThat(statistics.get(Event.APPLIED)).as("applied adds").isGreaterThan(statistics.get(Event.ADD) / 2);
    }

    private boolean hasMore() {
        return !isFailed && elapsed().toMinutes() < MINUTES && addsLeft(worlds.get()) > 0;
    }

    private static int addsLeft(int world) {
        return (int) Math.min(ADDS_PER_WORLD, ADDS - world * (long) ADDS_PER_WORLD);
    }

    private void attack(FirestoreEmulator emulator) {
        int world = worlds.getAndIncrement();
        if (addsLeft(world) <= 0) {
            return;
        }
        try (AttackedWorld attacked = new AttackedWorld(emulator, seed + world, statistics)) {
            attacked.run(addsLeft(world));
        } catch (Exception | AssertionError e) {
            isFailed = true;
            throw new AssertionError("world " + world + " of seed " + seed + ": " + e.getMessage(), e);
        }
        finished.incrementAndGet();
        report();
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static void inParallel(int times, ExecutorService threads, Runnable work) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            running.add(CompletableFuture.runAsync(work, threads));
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
    }

    private void report() {
        System.out.printf(
                "StampAttackTest: seed %d, %d worlds without a difference, %d emulators, %d s: %s%n",
                seed, finished.get(), emulators.get(), elapsed().toSeconds(), statistics);
    }
}
