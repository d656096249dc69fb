package io.counterkit.firestore.attack;

import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.ClockedBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.attack.AttackStatistics.Event;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.emulator.faults.FirestoreFaults;
import io.counterkit.firestore.fixture.LateCalls;
import io.counterkit.firestore.stamp.StampClones;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A process: a client whose calls are disturbed, and its backend. Four of five processes write stamps. */
final class AttackingProcess implements AutoCloseable {
    /** The most shards that a call asks for. */
    static final int MOST_SHARDS = 4;

    private static final int MOST_ADAPTED = 8;

    /** A minute of the load takes ten milliseconds, and an hour less than a second. */
    private static final long CLOCK_SPEED = 6_000;

    private final FirestoreFaults faults = new FirestoreFaults();
    private final LateCalls late = new LateCalls();
    private final AttackStatistics statistics;
    private final Firestore client;
    private final boolean isStamping;
    final FirestoreCounterBackend backend;
    final Counters counters;

    /** The same process with a longer deadline. */
    final Counters patient;

    AttackingProcess(FirestoreEmulator emulator, String project, Random random, AttackStatistics statistics) {
        this.statistics = statistics;
        client = emulator.connect(project, UnaryOperator.identity(), faults, late);
        isStamping = random.nextInt(5) > 0;
        backend = ClockedBackend.create(client, options(random, isStamping), () -> System.nanoTime() * CLOCK_SPEED);
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
        statistics.count(Event.PROCESS);
    }

    private static FirestoreCounterOptions options(Random random, boolean isStamping) {
        FirestoreCounterOptions.Builder options = FirestoreCounterOptions.builder()
                .writeStrategy(isStamping ? WriteStrategy.STAMP : WriteStrategy.INCREMENT)
                .shards(1 + random.nextInt(MOST_SHARDS))
                .deadline(Duration.ofSeconds(2));
        return (random.nextBoolean() ? options.adaptiveShards(1, MOST_ADAPTED) : options).build();
    }

    /** Lets this process know what another one knows of the shards, as a copy of its memory does. */
    void copyLanesOf(AttackingProcess other) {
        if (isStamping && other.isStamping) {
            StampClones.copyLanes(other.backend, backend);
            statistics.count(Event.CLONE);
        }
    }

    /** Sends some of the calls that are held. */
    void release() {
        faults.release();
        late.release();
    }

    /** Sends all calls that are held, and disturbs no more. */
    void stop() {
        faults.stop();
        late.stop();
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(late::isQuiet);
    }

    @Override
    public void close() {
        stop();
        statistics.count(Event.DISTURBED_CALL, faults.count());
        statistics.count(Event.LATE_COMMIT, late.count());
        counters.close();
        patient.close();
        client.shutdown();
    }
}
