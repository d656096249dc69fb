package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.FirestoreFixture;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the stored state after a reset and a delete, for all numbers of shards. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ResetAndDeleteTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "c-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    /** Snippets of the recipe read shards by number, and would miss a subtraction from another shard. */
    @RepeatedTest(3)
    void reset_writesToTheShardsOfTheCounterOnly() throws Exception {
        backend.create(name, 1).get();
        counters.counter(name).add(5);
        counters.counter(name).reset();
        assertThat(backend.describe(name).get().shards()).containsExactly(new CounterDescription.Shard("0", 0L, 0));
    }

    /** Tests from 1 shard to the maximum, one transaction each. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1000})
    void resetAndDelete_withNShards(int shards) {
        backend.create(name, shards).join();
        Counter counter = counters.counter(name);
        long added = 0;
        for (int i = 1; i <= 30; i++) {
            counter.add(i);
            added += i;
        }
        assertThat(counter.get()).isEqualTo(added);
        assertThat(written()).as("shards that were added to").isBetween(Math.min(shards, 2), shards);

        counter.reset();

        assertThat(counter.get()).isZero();
        assertThat(counters.counterNames(name).names()).containsExactly(name);
        assertThat(backend.describe(name).join().shards()).hasSize(shards);
        assertThat(backend.describe(name).join().shardCount()).isEqualTo(shards);
        counter.add(7);
        assertThat(counter.get()).isEqualTo(7);

        counter.delete();

        assertThat(counter.get()).isZero();
        assertThat(counters.counterNames(name).names()).isEmpty();
        CounterDescription nothing = backend.describe(name).join();
        assertThat(nothing.isThere()).isFalse();
        assertThat(nothing.shards()).isEmpty();
        counter.add(2);
        assertThat(counter.get()).isEqualTo(2);
        assertThat(counters.counterNames(name).names()).containsExactly(name);
    }

    private int written() {
        return (int) backend.describe(name).join().shards().stream()
                .filter(shard -> !Long.valueOf(0).equals(shard.count()))
                .count();
    }
}
