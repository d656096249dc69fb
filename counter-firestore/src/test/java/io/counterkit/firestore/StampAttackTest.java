package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attacks adds with stamps: several processes, of which some are killed and some are copies of others, add to the same
 * counters while calls fail, lose their replies and are delayed, and while the counters are reset, deleted, resharded,
 * sealed and changed by other software. In the end each add must count once, or never if its outcome says so.
 */
@Tag("exhaustive")
@Timeout(value = 24, unit = TimeUnit.HOURS)
class StampAttackTest {
    private static final int ADDS = Integer.getInteger("counterkit.stamp.adds", 20_000);
    private static final int ADDS_PER_EMULATOR = 25_000;
    private static final int COUNTERS = 6;
    private static final int WORKERS = 6;
    private static final int ROUNDS_BETWEEN_CHECKS = 5;
    private static final String PROJECT = FirestoreFixture.PROJECT;

    private final long seed = Long.getLong("counterkit.seed", new SecureRandom().nextInt(Integer.MAX_VALUE));
    private final AtomicLong clock = new AtomicLong();
    private final Statistics total = new Statistics();

    private static final class Statistics {
        final AtomicLong adds = new AtomicLong();
        final AtomicLong applied = new AtomicLong();
        final AtomicLong unknown = new AtomicLong();
        final AtomicLong disturbed = new AtomicLong();
        final AtomicLong disruptions = new AtomicLong();
        final AtomicLong processes = new AtomicLong();
        final AtomicLong stamped = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
    }

    @Test
    void everyAddCountsOnce() throws Exception {
        FirestoreFixture.emulator(); // required
        for (int piece = 0; total.adds.get() < ADDS; piece++) {
            try (FirestoreEmulator emulator = FirestoreEmulator.start(EmulatorOptions.defaults());
                    Piece attack = new Piece(emulator, seed + piece)) {
                attack.run(Math.min(ADDS, (piece + 1L) * ADDS_PER_EMULATOR));
            }
            report();
        }
        assertThat(total.applied.get()).as("applied adds").isGreaterThan(total.adds.get() / 2);
    }

    private void report() {
        System.out.printf(
                "StampAttackTest: seed %d: %d adds, %d applied, %d unknown outcomes, %d calls disturbed, %d resets,"
                        + " deletions, seals and the like of which %d failed, %d processes, %d stamps present%n",
                seed,
                total.adds.get(),
                total.applied.get(),
                total.unknown.get(),
                total.disturbed.get(),
                total.disruptions.get(),
                total.failed.get(),
                total.processes.get(),
                total.stamped.get());
    }

    /** A process: its client, and a backend that is killed now and then. */
    private final class Attacker implements AutoCloseable {
        final FirestoreFaults faults = new FirestoreFaults();
        final LateCalls late = new LateCalls();
        final Firestore client;
        final FirestoreCounterBackend backend;
        final Counters counters;
        final Counters patient;

        Attacker(FirestoreEmulator emulator, Random random, int shards) {
            client = emulator.connect(PROJECT, UnaryOperator.identity(), faults, late);
            backend = FirestoreCounterBackend.create(client, options(shards));
            counters = Counters.over(
                    backend,
                    CountersOptions.builder()
                            .deadline(Duration.ofMillis(400))
                            .drainTimeout(Duration.ofMillis(1))
                            .build());
            patient = Counters.over(
                    backend,
                    CountersOptions.builder().deadline(Duration.ofMinutes(2)).build());
            faults.start(0.12, random.nextLong());
            late.start(0.08, random.nextLong());
            total.processes.incrementAndGet();
        }

        void release() {
            faults.release();
            late.release();
        }

        void stop() {
            faults.stop();
            late.stop();
            await().until(late::isQuiet);
        }

        @Override
        public void close() {
            stop();
            total.disturbed.addAndGet(faults.count() + late.count());
            counters.close();
            patient.close();
            client.shutdown();
        }
    }

    private static FirestoreCounterOptions options(int shards) {
        return FirestoreCounterOptions.builder()
                .writeStrategy(WriteStrategy.STAMP)
                .shards(shards)
                .build();
    }

    private final class Piece implements AutoCloseable {
        private final FirestoreEmulator emulator;
        private final Random random;
        private final Firestore raw;
        private final Counters clean;
        private final Map<String, StampLedger> unchecked = new LinkedHashMap<>();
        private final Map<String, StampLedger> all = new LinkedHashMap<>();
        private final List<Attacker> attackers = new CopyOnWriteArrayList<>();
        private final List<Attacker> killed = new CopyOnWriteArrayList<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();

        Piece(FirestoreEmulator emulator, long seed) {
            this.emulator = emulator;
            this.random = new Random(seed);
            this.raw = emulator.connect(PROJECT);
            this.clean = Counters.over(
                    FirestoreCounterBackend.create(raw),
                    CountersOptions.builder().deadline(Duration.ofMinutes(2)).build());
        }

        void run(long until) throws Exception {
            while (total.adds.get() < until) {
                while (attackers.size() < 3) {
                    attackers.add(new Attacker(emulator, random, 1 + random.nextInt(4)));
                }
                for (int round = 0; round < ROUNDS_BETWEEN_CHECKS; round++) {
                    round();
                }
                check(unchecked);
                report();
                all.putAll(unchecked);
                unchecked.clear();
                if (random.nextInt(3) == 0) {
                    Attacker one = attackers.remove(random.nextInt(attackers.size()));
                    one.stop();
                    killed.add(one);
                }
            }
            attackers.forEach(Attacker::stop);
            killed.forEach(Attacker::stop);
            check(all); // what was delayed for long has arrived
        }

        private void check(Map<String, StampLedger> ledgers) {
            ledgers.forEach((name, ledger) -> {
                String wrong = ledger.check(clean.counter(name).get());
                total.stamped.addAndGet(ledgers == all ? 0 : stamps(name));
                if (wrong != null) {
                    throw new AssertionError("seed " + seed + ", counter " + name + ": " + wrong + "; " + raw(name));
                }
            });
        }

        private long stamps(String name) {
            return TestStore.await(
                            raw.collection("counters/" + name + "/shards").get())
                    .getDocuments()
                    .stream()
                    .filter(shard -> shard.get("stamps") instanceof Map<?, ?>)
                    .mapToLong(shard -> ((Map<?, ?>) shard.get("stamps")).size())
                    .sum();
        }

        private String raw(String name) {
            StringBuilder shards = new StringBuilder();
            TestStore.await(raw.collection("counters/" + name + "/shards").get())
                    .forEach(shard -> shards.append(shard.getId()).append(shard.getData()));
            return shards.toString();
        }

        /** Adds to some counters from all workers, and disrupts most of them. */
        private void round() throws Exception {
            Map<String, StampLedger> ledgers = new LinkedHashMap<>();
            for (int i = 0; i < COUNTERS; i++) {
                String name = "attack-" + clock.incrementAndGet();
                ledgers.put(name, new StampLedger(clock));
                if (random.nextBoolean()) {
                    StampLedger.Add first = ledgers.get(name).begin();
                    clean.counter(name).add(first.delta);
                    first.end(true);
                }
            }
            unchecked.putAll(ledgers);
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                Random numbers = new Random(random.nextLong());
                working.add(threads.submit(() -> work(ledgers, numbers)));
            }
            Random numbers = new Random(random.nextLong());
            working.add(threads.submit(() -> disrupt(ledgers, numbers)));
            for (Future<?> work : working) {
                work.get();
            }
            ledgers.values().forEach(ledger -> {
                total.adds.addAndGet(ledger.size());
                total.applied.addAndGet(ledger.applied());
            });
        }

        private Attacker any(Random numbers) {
            while (true) {
                Object[] present = attackers.toArray();
                if (present.length > 0) {
                    return (Attacker) present[numbers.nextInt(present.length)];
                }
            }
        }

        private void work(Map<String, StampLedger> ledgers, Random numbers) {
            List<String> names = new ArrayList<>(ledgers.keySet());
            Attacker usual = any(numbers);
            while (!names.isEmpty()) {
                Attacker attacker = numbers.nextInt(4) == 0 ? any(numbers) : usual;
                Map<StampLedger.Add, String> adds = new LinkedHashMap<>();
                for (int i = 0, most = 1 + numbers.nextInt(4); i < most && !names.isEmpty(); i++) {
                    String name = names.get(numbers.nextInt(names.size()));
                    StampLedger.Add add = ledgers.get(name).begin();
                    if (add == null) {
                        names.remove(name);
                    } else {
                        adds.put(add, name);
                    }
                }
                Map<StampLedger.Add, CompletableFuture<Void>> sent = new LinkedHashMap<>();
                adds.forEach((add, name) -> sent.put(
                        add,
                        numbers.nextInt(20) == 0
                                ? attacker.counters.counter(name).async().add(add.delta, IdempotencyToken.random())
                                : attacker.counters.counter(name).async().add(add.delta)));
                sent.forEach((add, reply) -> settle(add, adds.get(add), reply, numbers));
                attackers.forEach(Attacker::release);
            }
        }

        private void settle(StampLedger.Add add, String name, CompletableFuture<Void> reply, Random numbers) {
            try {
                reply.join();
                add.end(true);
            } catch (CompletionException e) {
                if (e.getCause() instanceof OutcomeUnknownException unknown) {
                    total.unknown.incrementAndGet();
                    add.end(decide(name, add.delta, unknown.token(), numbers));
                } else if (e.getCause() instanceof NotAppliedException) {
                    add.end(false);
                } else {
                    throw e;
                }
            }
        }

        /** Resolves a token by two processes, or repeats its add by two. */
        private boolean decide(String name, long delta, IdempotencyToken token, Random numbers) {
            if (numbers.nextBoolean()) {
                any(numbers).release();
            }
            if (numbers.nextInt(3) > 0) {
                CompletableFuture<Resolution> one = resolve(any(numbers), token);
                CompletableFuture<Resolution> other = resolve(any(numbers), token);
                boolean applied = one.join().applied();
                assertThat(other.join().applied())
                        .as("the same decision, seed %s", seed)
                        .isEqualTo(applied);
                return applied;
            }
            CompletableFuture<Boolean> one = repeat(any(numbers), name, delta, token);
            CompletableFuture<Boolean> other = repeat(any(numbers), name, delta, token);
            boolean applied = one.join();
            boolean otherApplied = other.join();
            return applied || otherApplied;
        }

        private CompletableFuture<Resolution> resolve(Attacker attacker, IdempotencyToken token) {
            return CompletableFuture.supplyAsync(() -> settleAs(attacker, token), threads);
        }

        private Resolution settleAs(Attacker attacker, IdempotencyToken token) {
            for (int i = 0; i < 3; i++) {
                try {
                    return attacker.counters.resolve(token);
                } catch (OutcomeUnknownException e) {
                    attacker.release();
                }
            }
            return clean.settle(token, Duration.ofMinutes(2));
        }

        private CompletableFuture<Boolean> repeat(Attacker attacker, String name, long delta, IdempotencyToken token) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            attacker.counters.counter(name).add(delta, token);
                            return true;
                        } catch (OutcomeUnknownException e) {
                            return settleAs(attacker, token).applied();
                        } catch (NotAppliedException e) {
                            return settleAs(attacker, token).applied();
                        }
                    },
                    threads);
        }

        private void disrupt(Map<String, StampLedger> ledgers, Random numbers) {
            List<String> names = new ArrayList<>(ledgers.keySet());
            int times = numbers.nextInt(6);
            for (int i = 0; i < times; i++) {
                String name = names.get(numbers.nextInt(names.size()));
                StampLedger ledger = ledgers.get(name);
                Attacker attacker = any(numbers);
                total.disruptions.incrementAndGet();
                try {
                    switch (numbers.nextInt(8)) {
                        case 0 ->
                            ledger.clear(() -> attacker.patient.counter(name).reset());
                        case 1, 2 ->
                            ledger.clear(() -> attacker.patient.counter(name).delete());
                        case 3 ->
                            attacker.backend
                                    .reshard(name, 1 + numbers.nextInt(4))
                                    .join();
                        case 4 -> {
                            if (numbers.nextInt(3) == 0) {
                                attacker.patient.counter(name).seal("elsewhere");
                            }
                        }
                        case 5, 6 -> foreign(name, ledger);
                        default -> {
                            Attacker copy = new Attacker(emulator, numbers, 1 + numbers.nextInt(4));
                            StampClones.copyLanes(attacker.backend, copy.backend);
                            attackers.add(copy);
                            if (attackers.size() > 5) {
                                killed.add(attackers.remove(0));
                            }
                        }
                    }
                } catch (NotAppliedException | OutcomeUnknownException | CompletionException e) {
                    total.failed.incrementAndGet(); // whether it was applied or not, the adds must be exact
                }
            }
        }

        /** Adds as a snippet of the recipe does. */
        private void foreign(String name, StampLedger ledger) {
            StampLedger.Add add = ledger.begin();
            if (add == null) {
                return;
            }
            try {
                raw.document("counters/" + name + "/shards/0")
                        .update("count", FieldValue.increment(add.delta))
                        .get();
                add.end(true);
            } catch (java.util.concurrent.ExecutionException e) {
                add.end(false); // there is no such shard
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            attackers.forEach(Attacker::close);
            killed.forEach(Attacker::close);
            threads.shutdown();
            clean.close();
            raw.shutdown();
        }
    }
}
