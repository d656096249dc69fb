package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests first adds to many counters at once, each of which creates many shards. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class LargeCreationTest {
    private static final FirestoreCounterOptions LARGEST =
            FirestoreCounterOptions.builder().shards(1000).build();

    @Test
    @Tag("exhaustive")
    void concurrentFirstAdds_fitIntoTheirCommits() {
        String start = TestStore.name() + "-";
        String prefix = start + "x".repeat(Limits.MAX_NAME_BYTES - 2 - start.length());
        List<String> names = IntStream.range(10, 20).mapToObj(i -> prefix + i).toList();
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(4)).build();
        try (TestStore store = new TestStore(LARGEST)) {
            Counters counters = store.another(patient);
            List<CompletableFuture<Void>> adds = names.stream()
                    .map(name -> counters.counter(name).async().add(1))
                    .toList();
            adds.forEach(CompletableFuture::join);
            assertThat(store.counters().counterNames(prefix).names()).isEqualTo(names);
            assertThat(store.shards(names.get(0))).hasSize(1000);
        }
    }

    @Test
    void weightOfAnAdd_dependsOnWhetherItMayCreateTheCounter() {
        try (TestStore store = new TestStore(LARGEST)) {
            CounterStore adds = store.backend().counters();
            String name = TestStore.name();
            AddRequest request = new AddRequest(name, 1, null);
            assertThat(adds.weight(request)).isEqualTo(91);
            store.counters().counter(name).add(1);
            assertThat(adds.weight(request)).isOne();
        }
        for (FirestoreCounterOptions small : List.of(
                FirestoreCounterOptions.defaults(),
                FirestoreCounterOptions.builder()
                        .shards(1000)
                        .seeding(Seeding.ON_FIRST_USE)
                        .build())) {
            try (TestStore store = new TestStore(small)) {
                AddRequest request = new AddRequest(TestStore.name(), 1, null);
                assertThat(store.backend().counters().weight(request)).isOne();
            }
        }
    }
}
