package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.LateCalls;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.stamp.StampClones;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
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
 * Attacks adds with stamps: several processes, of which some are killed, some are copies of others and some write without
 * stamps, add to the same counters, alone and in transactions, while calls fail, lose their replies and are delayed, and
 * while the counters are imported, reset, deleted, resharded by calls and by their load, sealed and changed by other software. In
 * the end each add must count once, or never if its outcome says so.
 */
@Tag("exhaustive")
@Timeout(value = 24, unit = TimeUnit.HOURS)
class StampAttackTest {
    private static final int ADDS = Integer.getInteger("counterkit.stamp.adds", 20_000);
    private static final int ADDS_PER_EMULATOR = 25_000;
    private static final int COUNTERS = 6;
    private static final int WORKERS = 6;
    private static final int ROUNDS_BETWEEN_CHECKS = 5;
    private static final int MOST_SHARDS = 4;
    private static final int MOST_ADAPTED = 8;

    /** A minute of the load takes ten milliseconds, and an hour less than a second. */
    private static final long CLOCK_SPEED = 6_000;

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
        final AtomicLong transactions = new AtomicLong();
        final AtomicLong imports = new AtomicLong();
        final AtomicLong adapted = new AtomicLong();
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
                        + " deletions, seals and the like of which %d failed, %d processes, %d stamps present, %d"
                        + " transactions, %d imports, %d counters with more shards than any call asked for%n",
                seed,
                total.adds.get(),
                total.applied.get(),
                total.unknown.get(),
                total.disturbed.get(),
                total.disruptions.get(),
                total.failed.get(),
                total.processes.get(),
                total.stamped.get(),
                total.transactions.get(),
                total.imports.get(),
                total.adapted.get());
    }

    /** A process: its client, and a backend that is killed now and then. */
    private final class Attacker implements AutoCloseable {
        final FirestoreFaults faults = new FirestoreFaults();
        final LateCalls late = new LateCalls();
        final Firestore client;
        final FirestoreCounterBackend backend;
        final Counters counters;
        final Counters patient;
        final boolean isStamping;

        Attacker(FirestoreEmulator emulator, Random random) {
            client = emulator.connect(PROJECT, UnaryOperator.identity(), faults, late);
            isStamping = random.nextInt(5) > 0;
            backend = new FirestoreCounterBackend(
                    client, options(random, isStamping), InstantSource.system(), () -> System.nanoTime() * CLOCK_SPEED);
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

    private static FirestoreCounterOptions options(Random random, boolean isStamping) {
        FirestoreCounterOptions.Builder options = FirestoreCounterOptions.builder()
                .writeStrategy(isStamping ? WriteStrategy.STAMP : WriteStrategy.INCREMENT)
                .shards(1 + random.nextInt(MOST_SHARDS))
                .deadline(Duration.ofSeconds(2));
        return (random.nextBoolean() ? options.adaptiveShards(1, MOST_ADAPTED) : options).build();
    }

    private final class Piece implements AutoCloseable {
        private final FirestoreEmulator emulator;
        private final Random random;
        private final Firestore raw;
        private final FirestoreCounterBackend cleanBackend;
        private final Counters clean;
        private final Map<String, Long> bases = new ConcurrentHashMap<>();
        private final Map<String, StampLedger> unchecked = new LinkedHashMap<>();
        private final Map<String, StampLedger> all = new LinkedHashMap<>();
        private final List<Attacker> attackers = new CopyOnWriteArrayList<>();
        private final List<Attacker> killed = new CopyOnWriteArrayList<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();

        Piece(FirestoreEmulator emulator, long seed) {
            this.emulator = emulator;
            this.random = new Random(seed);
            this.raw = emulator.connect(PROJECT);
            this.cleanBackend = FirestoreCounterBackend.create(raw);
            this.clean = Counters.over(
                    cleanBackend,
                    CountersOptions.builder().deadline(Duration.ofMinutes(2)).build());
        }

        void run(long until) throws Exception {
            while (total.adds.get() < until) {
                while (attackers.size() < 3) {
                    attackers.add(new Attacker(emulator, random));
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
                if (ledgers != all) {
                    total.stamped.addAndGet(stamps(name));
                    Long shards = TestStore.await(
                                    raw.document("counters/" + name).get())
                            .getLong("num_shards");
                    total.adapted.addAndGet(shards != null && shards > MOST_SHARDS ? 1 : 0);
                }
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
                switch (random.nextInt(4)) {
                    case 0, 1 -> {
                        StampLedger.Add first = ledgers.get(name).begin();
                        clean.counter(name).add(first.delta);
                        first.end(true);
                    }
                    case 2 -> importBase(name, ledgers.get(name));
                    default -> {}
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

        /** Imports the first add as the base of the counter, by two processes at once, and by another if both fail. */
        private void importBase(String name, StampLedger ledger) {
            StampLedger.Add base = ledger.begin();
            CompletableFuture<?> one = importBy(any(random).backend, name, base.delta);
            CompletableFuture<?> other = importBy(any(random).backend, name, base.delta);
            boolean isDone = isDone(one);
            if (!isDone(other) && !isDone) {
                attackers.forEach(Attacker::release);
                importBy(cleanBackend, name, base.delta).join();
            }
            base.end(true);
            bases.put(name, base.delta);
        }

        private CompletableFuture<?> importBy(FirestoreCounterBackend backend, String name, long value) {
            total.imports.incrementAndGet();
            return backend.migration()
                    .importBase(
                            ChangeTarget.Kind.COUNTER,
                            name,
                            new ImportedState("another store", true, value, 0),
                            new Call(Duration.ofSeconds(2), CountersListener.disabled()));
        }

        private static boolean isDone(CompletableFuture<?> sent) {
            try {
                sent.join();
                return true;
            } catch (CompletionException e) {
                return false;
            }
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
                adds.forEach((add, name) -> sent.put(add, send(attacker, name, add.delta, numbers)));
                sent.forEach((add, reply) -> settle(add, adds.get(add), reply, numbers));
                attackers.forEach(Attacker::release);
            }
        }

        private CompletableFuture<Void> send(Attacker attacker, String name, long delta, Random numbers) {
            return switch (numbers.nextInt(20)) {
                case 0 -> attacker.counters.counter(name).async().add(delta, IdempotencyToken.random());
                case 1 -> {
                    total.transactions.incrementAndGet();
                    yield attacker.backend
                            .transact(IdempotencyToken.random(), tx -> tx.add(name, delta))
                            .thenAccept(done -> {});
                }
                default -> attacker.counters.counter(name).async().add(delta);
            };
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
                    switch (numbers.nextInt(9)) {
                        case 0 ->
                            ledger.clear(() -> attacker.patient.counter(name).reset());
                        case 1, 2 ->
                            ledger.clear(() -> attacker.patient.counter(name).delete());
                        case 3 ->
                            attacker.backend
                                    .reshard(name, 1 + numbers.nextInt(MOST_SHARDS))
                                    .join();
                        case 4 -> {
                            if (numbers.nextInt(3) == 0) {
                                attacker.patient.counter(name).seal("elsewhere");
                            }
                        }
                        case 5, 6 -> foreign(name, ledger);
                        case 7 -> {
                            Long base = bases.get(name);
                            if (base != null) { // changes nothing, whatever has happened to the counter since
                                importBy(attacker.backend, name, base).join();
                            }
                        }
                        default -> {
                            Attacker copy = new Attacker(emulator, numbers);
                            if (attacker.isStamping && copy.isStamping) {
                                StampClones.copyLanes(attacker.backend, copy.backend);
                            }
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
