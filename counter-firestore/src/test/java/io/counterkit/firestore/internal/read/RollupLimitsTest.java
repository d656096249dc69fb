package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.NoCredentials;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests Google's bounds for documents and collections that pages listen to. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RollupLimitsTest {
    private final String project = "demo-" + UUID.randomUUID();
    private final String name = TestStore.name();

    /** Connects as to the service: an emulator's own clients have no bounds. */
    private Firestore connectAsToTheService() {
        return FirestoreOptions.newBuilder()
                .setProjectId(project)
                .setCredentials(NoCredentials.getInstance())
                .setHost(FirestoreFixture.emulator().hostAndPort())
                .build()
                .getService();
    }

    @Test
    void document_changesOnceASecondAtMost_whateverIsAskedFor() {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .keepFresh("")
                .rollupCadence(Duration.ZERO)
                .writesPerShard(Double.POSITIVE_INFINITY, 1)
                .build();
        ConcurrentSkipListSet<Timestamp> times = new ConcurrentSkipListSet<>();
        Firestore firestore = connectAsToTheService();
        Firestore page = FirestoreFixture.emulator().connect(project);
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(firestore, options))) {
            Counter counter = counters.counter(name);
            counter.add(1);
            DocumentReference document = page.document("counters/" + name);
            ListenerRegistration listener = document.addSnapshotListener((changed, failure) -> {
                Timestamp at = changed == null ? null : changed.getTimestamp("total_at");
                if (at != null) {
                    times.add(at);
                }
            });
            Watch watch = counter.watch(Duration.ofMillis(20), reading -> {});
            while (times.size() < 3) {
                counter.increment();
                counter.read(Duration.ofNanos(1));
            }
            watch.close();
            listener.remove();
        }
        firestore.shutdown();
        page.shutdown();
        List<Timestamp> seen = new ArrayList<>(times);
        for (int i = 1; i < 3; i++) {
            Timestamp before = seen.get(i - 1);
            assertThat(seen.get(i))
                    .as("the roll-up after the one of %s", before)
                    .isGreaterThanOrEqualTo(
                            Timestamp.ofTimeSecondsAndNanos(before.getSeconds() + 1, before.getNanos()));
        }
    }

    @Test
    void document_isSmall() {
        try (TestStore store =
                new TestStore(FirestoreCounterOptions.builder().keepFresh("").build())) {
            store.counters().counter(name).add(Long.MAX_VALUE >> 10);
            store.counters().counter(name).seal("x".repeat(512));
            Map<String, Object> largest = Objects.requireNonNull(store.data(store.counter(name)));
            assertThat(largest).containsKeys("num_shards", "total", "total_at", "seal");
            assertThat(bytes(largest)).isLessThan(1024);
        }
    }

    private static int bytes(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .mapToInt(field -> bytes(field.getKey()) + bytes(field.getValue()))
                    .sum();
        }
        return value instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length + 1 : 16;
    }

    /** A longer cadence lets more roll-ups become due at once. */
    @Test
    void rollupsOfALongCadence_areSpreadOverItsSeconds() {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .keepFresh(name)
                .rollupCadence(Duration.ofSeconds(2))
                .build();
        try (TestStore store = new TestStore(options)) {
            WriteBatch batch = store.raw().batch();
            IntStream.range(0, 520).forEach(i -> batch.set(store.counter(name + i), Map.of("num_shards", 1)));
            TestStore.await(batch.commit());
            FirestoreSchema schema = new FirestoreSchema(store.client(), options, InstantSource.system());
            RollupWorker worker = new RollupWorker(schema, new CounterReads(schema));
            worker.markDue(IntStream.range(0, 520).mapToObj(i -> name + i).toList());
            Query ours = store.raw()
                    .collection("counters")
                    .orderBy(FieldPath.documentId())
                    .startAt(name)
                    .endAt(name + "~");
            await().until(() -> times(ours).size() == 520);
            List<Timestamp> times = times(ours);
            Timestamp before = times.get(499);
            assertThat(times.get(500))
                    .as("the roll-up after 500, the last at %s", before)
                    .isGreaterThanOrEqualTo(
                            Timestamp.ofTimeSecondsAndNanos(before.getSeconds() + 1, before.getNanos()));
            worker.close().join();
            schema.client().close();
        }
    }

    /** Returns when the roll-ups were written, in order. */
    private static List<Timestamp> times(Query counters) {
        return TestStore.await(counters.get()).getDocuments().stream()
                .filter(counter -> counter.contains("total"))
                .map(counter -> Objects.requireNonNull(counter.getUpdateTime()))
                .sorted()
                .toList();
    }

    @Test
    void process_renewsAFewHundredRollupsASecond() {
        FirestoreFixture fixture = new FirestoreFixture();
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .keepFresh("")
                .rollupCadence(Duration.ofMillis(20))
                .build();
        FirestoreSchema schema = new FirestoreSchema(fixture.client(), options, InstantSource.system());
        RollupWorker worker = new RollupWorker(schema, new CounterReads(schema));
        worker.markDue(IntStream.range(0, 1200).mapToObj(i -> name + i).toList());
        // Two rounds of 500 and one of 200, where a call reads 300 documents.
        await().until(() -> fixture.faults().calls().size() == 5);
        worker.close().join();
        assertThat(fixture.faults().calls()).hasSize(5).containsOnly("BatchGetDocuments");
        schema.client().close();
        fixture.close();
    }
}
