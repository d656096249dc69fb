package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Precondition;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Reading;
import io.counterkit.Readings;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the roll-ups that readers write to the counter's document for other readers. */
class RollupTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters counters = Counters.over(
            fixture.connect(),
            CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
    private final Firestore client = fixture.client();
    private final String name = "rollup/" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    @Test
    void boundedRead_writesItsSumForTheNextProcess() throws Exception {
        counters.counter(name).add(5);
        counters.counter(name).read(HOUR);
        awaitRollup(5);
        counters.counter(name).add(2);

        Counters other = Counters.over(fixture.connect());
        int before = fixture.faults().calls().size();
        Reading reading = other.counter(name).read(HOUR);

        assertThat(reading.value()).isEqualTo(5);
        assertThat(reading.staleness()).isPositive().isLessThan(HOUR);
        assertThat(callsAfter(before)).containsExactly("BatchGetDocuments");
        assertThat(other.counter(name).get()).as("strong").isEqualTo(7);
        assertThat(other.counter(name).read(HOUR).value())
                .as("never older than what this process has shown")
                .isEqualTo(7);
        other.close();
    }

    @Test
    void process_writesOneRollupOfACounterAtATime() throws Exception {
        counters.counter(name).add(5);
        int before = fixture.faults().calls().size();
        try (CallFault held = fixture.faults().inject(StoreFault.HOLD, 3)) { // after the document and the sum
            for (int i = 0; i < 5; i++) {
                assertThat(counters.counter(name).read(Duration.ofNanos(1)).value())
                        .isEqualTo(5);
            }
            assertThat(held.isHit()).isTrue();
            assertThat(callsAfter(before)).containsOnlyOnce("Commit");
        }
        awaitRollup(5);
        counters.counter(name).add(2);
        await().untilAsserted(() -> {
            counters.counter(name).read(Duration.ofNanos(1));
            assertThat(document(name).getLong("total")).isEqualTo(7);
        });
    }

    @Test
    void strongReads_writeNothing() {
        counters.counter(name).add(5);
        int before = fixture.faults().calls().size();
        counters.counter(name).get();
        counters.counter(name).get();
        assertThat(callsAfter(before)).containsExactly("RunAggregationQuery", "RunAggregationQuery");
    }

    @Test
    void rollupOlderThanTheBound_isNotUsed() throws Exception {
        counters.counter(name).add(5);
        counters.counter(name).read(HOUR);
        awaitRollup(5);
        counters.counter(name).add(2);

        Counters other = Counters.over(fixture.connect());
        assertThat(other.counter(name).read(Duration.ofNanos(1)).value()).isEqualTo(7);
        other.close();
    }

    @Test
    void pageOfCounters_isOneCall() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            names.add(name + "/" + i);
        }
        CompletableFuture.allOf(names.stream()
                        .map(each -> counters.counter(each).async().add(1))
                        .toArray(CompletableFuture[]::new))
                .join();
        counters.readAll(names, Duration.ofNanos(1)); // sums, and writes roll-ups
        DocumentReference[] documents = names.stream().map(this::reference).toArray(DocumentReference[]::new);
        await().untilAsserted(() -> assertThat(TestStore.await(client.getAll(documents)))
                .allSatisfy(document -> assertThat(document.getLong("total")).isEqualTo(1)));

        Counters other = Counters.over(fixture.connect());
        int before = fixture.faults().calls().size();
        Readings readings = other.readAll(names, HOUR);

        assertThat(names).allMatch(each -> readings.get(each).value() == 1);
        assertThat(callsAfter(before)).containsExactly("BatchGetDocuments");
        other.close();
    }

    @Test
    void reset_deletesTheRollup() throws Exception {
        counters.counter(name).add(5);
        counters.counter(name).read(HOUR);
        awaitRollup(5);

        counters.counter(name).reset();

        Counters other = Counters.over(fixture.connect());
        assertThat(other.counter(name).read(HOUR).value()).isZero();
        other.close();
    }

    @Test
    void deletedCounter_isNotRestoredByALateRollup() throws Exception {
        counters.counter(name).add(5);
        DocumentSnapshot before = document(name);
        counters.counter(name).delete();
        // Writes as a reader that summed before the delete.
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> before.getReference()
                        .update(Map.of("total", 5L), Precondition.updatedAt(before.getUpdateTime()))
                        .get());
        assertThat(document(name).exists()).isFalse();
    }

    private List<String> callsAfter(int before) {
        List<String> calls = fixture.faults().calls();
        return calls.subList(before, calls.size());
    }

    private void awaitRollup(long total) {
        await().untilAsserted(() -> assertThat(document(name).getLong("total")).isEqualTo(total));
    }

    private DocumentSnapshot document(String counter) throws ExecutionException, InterruptedException {
        return reference(counter).get().get();
    }

    private DocumentReference reference(String counter) {
        return client.collection("counters").document(DocumentIds.of(counter));
    }
}
