package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.EmulatorStore;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.MigrationVerifier;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.migration.VerificationReport;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * One sequence with writers through App Engine's client and through Google's: first in turns, and then both at once
 * while it moves to another store. A third process follows it all the time.
 */
@Tag("exhaustive")
@ResourceLock("the remote configuration of App Engine's API")
class BothClientsMigrationTest {
    private static final System.Logger LOG = System.getLogger(BothClientsMigrationTest.class.getName());
    private static final int IN_TURNS = 10;

    /** Appends of each writer before the move, and at least as many after it. */
    private static final int APPENDS = 10;

    /** How many entries a read returns at most. */
    private static final int MOST_AT_ONCE = 1000;

    private final String name = "orders-" + UUID.randomUUID();
    private final String namespace = UUID.randomUUID().toString();
    private final Rollout rollout = Rollout.at(0);
    private final List<Entry> followed = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final InMemoryStore target = InMemoryStore.create();
    private CloudStore store;
    private EmulatorStore ofAppEngine;

    @BeforeEach
    void connect() {
        store = CloudStore.besideAppEngine();
        ofAppEngine = EmulatorStore.at(Emulator.FRESH.hostAndPort());
    }

    @AfterEach
    void close() throws Exception {
        ofAppEngine.close();
        store.close();
    }

    private CounterBackend google() {
        return store.connect(
                DatastoreCounterOptions.builder().namespace(namespace).build());
    }

    private CounterBackend appEngine() {
        return DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().namespace(namespace).build());
    }

    /** A process with the migration in its configuration. */
    private MigratingBackend migrating(CounterBackend source) {
        return MigratingBackend.create(
                source,
                InMemoryBackend.over(target),
                MigrationOptions.builder("datastore", "memory").rollout(rollout).build());
    }

    @Test
    void sequenceOfBothClientsMoves_whileBothAppendAndAThirdProcessFollows() throws Exception {
        Counters third = CloudStore.patient(migrating(google()));
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(50)).withFailures(failures::add);
        Follower follower = third.sequence(name).follow(1, options, followed::add);
        List<Long> numbers = new ArrayList<>(appendInTurns());
        LOG.log(System.Logger.Level.INFO, "in turns through both clients: {0}", numbers);
        AtomicBoolean isMoved = new AtomicBoolean();
        CountDownLatch atWork = new CountDownLatch(2);
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<List<Long>> one = threads.submit(() -> append("Google's", google(), atWork, isMoved));
            Future<List<Long>> other = threads.submit(() -> append("App Engine's", appEngine(), atWork, isMoved));
            atWork.await();
            rollout.set(100);
            MigrationReport report = MigrationJob.over(
                            migrating(google()),
                            MigrationJobOptions.builder().copyEntries(true).build())
                    .run();
            isMoved.set(true);
            assertThat(report.failures()).isEmpty();
            numbers.addAll(one.get());
            numbers.addAll(other.get());
            LOG.log(
                    System.Logger.Level.INFO,
                    "moved with {0} entries while both appended: {1} numbers through Google''s client, {2} through App"
                            + " Engine''s",
                    report.sequences().copied(),
                    one.get().size(),
                    other.get().size());
        } finally {
            isMoved.set(true);
            threads.shutdown();
        }
        assertExact(numbers);
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> follower.position() >= numbers.size() || !failures.isEmpty());
        third.close();
        assertThat(failures).isEmpty();
        assertThat(followed)
                .extracting(Entry::number)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, numbers.size()).boxed().toList());
        assertThat(followed).extracting(entry -> entry.fields().get("by")).contains("Google's", "App Engine's");
        LOG.log(
                System.Logger.Level.INFO,
                "a third process followed 1 to {0} over the seal, each once and in order",
                followed.size());
    }

    private List<Long> appendInTurns() {
        List<Long> numbers = new ArrayList<>();
        Counters one = CloudStore.patient(google());
        Counters other = CloudStore.patient(appEngine());
        for (int i = 0; i < IN_TURNS; i++) {
            numbers.add(one.sequence(name).append(Map.of("by", "Google's")).number());
            numbers.add(
                    other.sequence(name).append(Map.of("by", "App Engine's")).number());
        }
        return numbers;
    }

    private List<Long> append(String by, CounterBackend source, CountDownLatch atWork, AtomicBoolean isMoved) {
        Counters counters = CloudStore.patient(migrating(source));
        List<Long> numbers = new ArrayList<>();
        for (int after = 0; after < APPENDS; after += isMoved.get() ? 1 : 0) {
            numbers.add(counters.sequence(name).append(Map.of("by", by)).number());
            if (numbers.size() == APPENDS) {
                atWork.countDown();
            }
        }
        return numbers;
    }

    private void assertExact(List<Long> numbers) throws InterruptedException {
        List<Long> oneToN = LongStream.rangeClosed(1, numbers.size()).boxed().toList();
        assertThat(numbers).containsExactlyInAnyOrderElementsOf(oneToN);
        Sequence moved = CloudStore.patient(InMemoryBackend.over(target)).sequence(name);
        List<Entry> entries = new ArrayList<>();
        while (entries.size() < numbers.size()) {
            long from = entries.size() + 1L;
            entries.addAll(moved.read(from, Math.min(numbers.size(), from + MOST_AT_ONCE - 1)));
        }
        assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(oneToN);
        assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(oneToN);
        VerificationReport verified = MigrationVerifier.over(
                        migrating(google()),
                        VerificationOptions.builder()
                                .copiedEntries(true)
                                .allEntries()
                                .build())
                .run();
        assertThat(verified.differences()).isEmpty();
        assertThat(verified.entries()).isEqualTo(numbers.size());
        LOG.log(System.Logger.Level.INFO, "verified: 1 to {0}, each once, nothing differs", numbers.size());
    }
}
