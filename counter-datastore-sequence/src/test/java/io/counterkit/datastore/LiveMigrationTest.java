package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.Ramp;
import io.counterkit.SealedException;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.tck.Prerequisite;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thousand names with 20,000 entries move from the Datastore's emulator to Firestore's while eight writers are at work,
 * half of them with the source alone in their configuration.
 */
@Tag("emulator")
class LiveMigrationTest {
    private static final int NAMES = Integer.getInteger("counterkit.migration.names", 1000) / 2;
    private static final int ENTRIES = 40;
    private static final int RUN = 20;
    private static final int WRITERS = 8;

    private final String prefix = UUID.randomUUID() + "/";
    private final Rollout rollout = Rollout.at(0);
    private final Map<String, LongAdder> added = new ConcurrentHashMap<>();
    private final Map<String, Queue<Long>> numbers = new ConcurrentHashMap<>();
    private final AtomicLong refused = new AtomicLong();

    private static DatastoreSequenceBackend old() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults());
    }

    private MigratingBackend migrating(Firestore firestore) {
        MigrationOptions options = MigrationOptions.builder("datastore", "firestore")
                .rollout(rollout)
                .build();
        return MigratingBackend.create(old(), FirestoreCounterBackend.create(firestore), options);
    }

    private String counter(int i) {
        return prefix + "likes/" + i;
    }

    private String sequence(int i) {
        return prefix + "orders/" + i;
    }

    private void fill() {
        Counters before = Counters.over(old());
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of("customer", "c-17"), null);
        for (int i = 0; i < NAMES; i++) {
            before.counter(counter(i)).add(i);
            for (int n = 0; n < ENTRIES; n += RUN) {
                Commit commit = new Commit(Duration.ofMinutes(1), new SecureRandom(), CountersListener.disabled());
                old().sequences()
                        .append(sequence(i), Collections.nCopies(RUN, request), commit)
                        .join()
                        .forEach(result -> assertThat(result.isApplied()).isTrue());
            }
        }
    }

    private void write(Counters own, Counters next, int seed, AtomicBoolean isOver) {
        Random random = new Random(seed);
        while (!isOver.get()) {
            String counter = counter(random.nextInt(NAMES));
            long delta = random.nextLong(-4, 5);
            change(own, next, at -> {
                at.counter(counter).add(delta);
                return delta;
            });
            added.computeIfAbsent(counter, name -> new LongAdder()).add(delta);
            String sequence = sequence(random.nextInt(NAMES));
            long number = change(own, next, at -> at.sequence(sequence).next());
            numbers.computeIfAbsent(sequence, name -> new ConcurrentLinkedQueue<>())
                    .add(number);
        }
    }

    private long change(Counters own, Counters next, Function<Counters, Long> change) {
        try {
            return change.apply(own);
        } catch (SealedException e) {
            refused.incrementAndGet();
            return change.apply(next);
        }
    }

    @Test
    void writersOfOldAndNewConfigurations_loseAndRepeatNothing() throws Exception {
        try (DatastoreEmulator datastore = Prerequisite.required(() -> DatastoreEmulator.start("--testing"));
                EmulatorStore store = EmulatorStore.at(datastore.hostAndPort())) {
            assertThat(store.lag()).isPositive();
            Firestore firestore =
                    Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
            fill();
            moveUnderLoad(firestore);
            verify(firestore);
            firestore.close();
        }
    }

    private void moveUnderLoad(Firestore firestore) throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int seed = i;
            Counters own = Counters.over(i % 2 == 0 ? old() : migrating(firestore));
            Counters next = Counters.over(migrating(firestore));
            running.add(threads.submit(() -> write(own, next, seed, isOver)));
        }
        rollout.set(100);
        MigrationReport first = move(firestore);
        isOver.set(true);
        threads.shutdown();
        for (Future<?> writer : running) {
            writer.get(2, TimeUnit.MINUTES);
        }
        assertThat(first.failures()).isEmpty();
        assertThat(refused).as("changes of old configurations that met a seal").hasPositiveValue();
        // Lists of an eventually consistent store: the second time all are there, and moved.
        MigrationReport second = move(firestore);
        assertThat(second.failures()).isEmpty();
        assertThat(second.counters().alreadyMoved() + second.counters().moved()).isEqualTo(NAMES);
        assertThat(second.sequences().alreadyMoved() + second.sequences().moved())
                .isEqualTo(NAMES);
    }

    private MigrationReport move(Firestore firestore) throws InterruptedException {
        MigrationJobOptions options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(true)
                .ramp(Ramp.unlimited())
                .build();
        return MigrationJob.over(migrating(firestore), options).run();
    }

    private void verify(Firestore firestore) throws InterruptedException {
        Counters now = Counters.over(migrating(firestore));
        IntStream.range(0, NAMES).forEach(i -> {
            long sum = added.containsKey(counter(i)) ? added.get(counter(i)).sum() : 0;
            assertThat(now.counter(counter(i)).get()).as(counter(i)).isEqualTo(i + sum);
            List<Long> issued = numbers.getOrDefault(sequence(i), new ConcurrentLinkedQueue<>()).stream()
                    .sorted()
                    .toList();
            long last = (long) ENTRIES + issued.size();
            assertThat(issued)
                    .as("%s: no gap, and no number twice", sequence(i))
                    .isEqualTo(LongStream.rangeClosed(ENTRIES + 1, last).boxed().toList());
            assertThat(now.sequence(sequence(i)).read(1, last))
                    .extracting(Entry::number)
                    .isEqualTo(LongStream.rangeClosed(1, last).boxed().toList());
            assertThat(now.sequence(sequence(i)).liveCount()).isEqualTo(last);
        });
        VerificationOptions options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(true)
                .allEntries()
                .build();
        VerificationReport report =
                MigrationVerifier.over(migrating(firestore), options).run();
        assertThat(report.differences()).isEmpty();
        assertThat(report.entries()).isGreaterThanOrEqualTo((long) NAMES * ENTRIES);
    }
}
