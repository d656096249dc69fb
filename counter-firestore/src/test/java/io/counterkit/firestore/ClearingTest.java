package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** Where a reset leaves its traces. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClearingTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "c-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    /** Snippets of the recipe that read the shards by their numbers would miss what is taken from another one. */
    @RepeatedTest(3)
    void reset_writesToTheShardsOfTheCounterOnly() throws Exception {
        backend.create(name, 1).get();
        counters.counter(name).add(5);
        counters.counter(name).reset();
        assertThat(backend.describe(name).get().shards()).containsExactly(new CounterDescription.Shard("0", 0L, 0));
    }
}
