package io.counterkit.firestore.attack;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.attack.AttackStatistics.Event;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A database with its processes. Its rounds each have counters of their own, which are compared with their ledgers
 * after some rounds, and again at the end.
 */
final class AttackedWorld implements AutoCloseable {
    private static final int COUNTERS = 6;
    private static final int WORKERS = 6;
    private static final int FEWEST_PROCESSES = 3;
    private static final int MOST_PROCESSES = 5;
    private static final int ROUNDS_BETWEEN_CHECKS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** While a round waits for its last calls, some of those that are held are sent each time. */
    private static final long RELEASE_MILLIS = 50;

    final AttackStatistics statistics;
    final Firestore raw;
    final Counters clean;
    final ExecutorService threads = Executors.newCachedThreadPool();

    /** The values of the counters that began as imports. */
    final Map<String, Long> bases = new ConcurrentHashMap<>();

    private final long seed;
    private final Random random;
    private final FirestoreEmulator emulator;
    private final String project = "demo-" + UUID.randomUUID();
    private final FirestoreCounterBackend cleanBackend;
    private final AtomicLong clock = new AtomicLong();
    private final Map<String, StampLedger> unchecked = new LinkedHashMap<>();
    private final Map<String, StampLedger> all = new LinkedHashMap<>();
    private final List<AttackingProcess> present = new CopyOnWriteArrayList<>();
    private final List<AttackingProcess> killed = new CopyOnWriteArrayList<>();

    AttackedWorld(FirestoreEmulator emulator, long seed, AttackStatistics statistics) {
        this.statistics = statistics;
        this.seed = seed;
        this.random = new Random(seed);
        this.emulator = emulator;
        this.raw = emulator.connect(project);
        this.cleanBackend = FirestoreCounterBackend.create(raw);
        this.clean = Counters.over(
                cleanBackend, CountersOptions.builder().deadline(PATIENCE).build());
    }

    /** Attacks at least so many adds. */
    void run(int adds) throws Exception {
        for (int done = 0; done < adds; ) {
            while (present.size() < FEWEST_PROCESSES) {
                present.add(new AttackingProcess(emulator, project, random, statistics));
            }
            for (int round = 0; round < ROUNDS_BETWEEN_CHECKS; round++) {
                done += round();
            }
            check(unchecked);
            countStamps();
            all.putAll(unchecked);
            unchecked.clear();
            if (random.nextInt(3) == 0) {
                AttackingProcess one = present.remove(random.nextInt(present.size()));
                one.stop();
                kill(one);
            }
        }
        present.forEach(AttackingProcess::stop);
        killed.forEach(AttackingProcess::stop);
        check(all); // what was delayed for long has arrived
    }

    /** Adds to some new counters from all workers, and disturbs most of them. Returns how many adds there were. */
    private int round() throws Exception {
        Map<String, StampLedger> ledgers = new LinkedHashMap<>();
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < COUNTERS; i++) {
            String name = "attack-" + clock.incrementAndGet();
            StampLedger ledger = new StampLedger(clock);
            ledgers.put(name, ledger);
            Random numbers = new Random(random.nextLong());
            working.add(threads.submit(() -> begin(name, ledger, numbers)));
        }
        finish(working);
        unchecked.putAll(ledgers);
        for (int i = 0; i < WORKERS; i++) {
            working.add(threads.submit(new AddWorker(this, ledgers, new Random(random.nextLong()))));
        }
        working.add(threads.submit(new OtherChanges(this, ledgers, new Random(random.nextLong()))));
        finish(working);
        int adds = 0;
        for (StampLedger ledger : ledgers.values()) {
            adds += ledger.size();
            statistics.count(Event.APPLIED, ledger.applied());
        }
        statistics.count(Event.ADD, adds);
        return adds;
    }

    private void finish(List<Future<?>> working) throws ExecutionException, InterruptedException {
        for (Future<?> work : working) {
            while (!work.isDone()) {
                try {
                    work.get(RELEASE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    releaseSome();
                }
            }
            work.get();
        }
        working.clear();
    }

    /** Creates half of the counters by an add and a quarter by an import. The rest is created by the attacked adds. */
    private void begin(String name, StampLedger ledger, Random numbers) {
        switch (numbers.nextInt(4)) {
            case 0, 1 -> {
                StampLedger.Add first = ledger.begin();
                clean.counter(name).add(first.delta);
                first.end(true);
            }
            case 2 -> {
                StampLedger.Add base = ledger.begin();
                importByTwo(name, base.delta, numbers);
                base.end(true);
                bases.put(name, base.delta);
            }
            default -> {}
        }
    }

    /** Imports a counter by two processes at once, and by another one if both fail. */
    private void importByTwo(String name, long value, Random numbers) {
        CompletableFuture<Boolean> one = importBy(any(numbers), name, value).handle((done, failure) -> failure == null);
        CompletableFuture<Boolean> other =
                importBy(any(numbers), name, value).handle((done, failure) -> failure == null);
        boolean isDone = one.join();
        if (!other.join() && !isDone) {
            releaseSome();
            importBy(cleanBackend, name, value, PATIENCE).join();
        }
    }

    CompletableFuture<?> importBy(AttackingProcess process, String name, long value) {
        return importBy(process.backend, name, value, Duration.ofSeconds(2));
    }

    private CompletableFuture<?> importBy(FirestoreCounterBackend backend, String name, long value, Duration deadline) {
        statistics.count(Event.IMPORT);
        return backend.migration()
                .importBase(
                        ChangeTarget.Kind.COUNTER,
                        name,
                        new ImportedState("another store", true, value, 0),
                        new Call(deadline, CountersListener.disabled()));
    }

    /** Returns one of the processes at random. */
    AttackingProcess any(Random numbers) {
        while (true) {
            Object[] processes = present.toArray();
            if (processes.length > 0) {
                return (AttackingProcess) processes[numbers.nextInt(processes.length)];
            }
        }
    }

    void releaseSome() {
        present.forEach(AttackingProcess::release);
    }

    /**
     * Starts a copy of a process. If there are enough, the oldest process ends, and its calls that are held stay so.
     */
    void startCopyOf(AttackingProcess process, Random numbers) {
        AttackingProcess copy = new AttackingProcess(emulator, project, numbers, statistics);
        copy.copyLanesOf(process);
        present.add(copy);
        if (present.size() > MOST_PROCESSES) {
            kill(present.remove(0));
        }
    }

    private void kill(AttackingProcess process) {
        killed.add(process);
        statistics.count(Event.KILL);
    }

    private void check(Map<String, StampLedger> ledgers) {
        ledgers.forEach((name, ledger) -> {
            String wrong = ledger.check(clean.counter(name).get());
            if (wrong != null) {
                StringBuilder shards = new StringBuilder();
                TestStore.await(raw.collection("counters/" + name + "/shards").get())
                        .forEach(shard -> shards.append(shard.getId()).append(shard.getData()));
                throw new AssertionError("seed " + seed + ", counter " + name + ": " + wrong + "; " + shards);
            }
        });
    }

    private void countStamps() {
        unchecked.keySet().forEach(name -> {
            TestStore.await(raw.collection("counters/" + name + "/shards").get())
                    .forEach(shard -> statistics.count(
                            Event.STAMP_PRESENT, shard.get("stamps") instanceof Map<?, ?> stamps ? stamps.size() : 0));
            Long shards =
                    TestStore.await(raw.document("counters/" + name).get()).getLong("num_shards");
            statistics.count(Event.ADAPTED, shards != null && shards > AttackingProcess.MOST_SHARDS ? 1 : 0);
        });
    }

    @Override
    public void close() {
        present.forEach(AttackingProcess::close);
        killed.forEach(AttackingProcess::close);
        threads.shutdown();
        clean.close();
        raw.shutdown();
    }
}
