package io.counterkit.firestore.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.Reading;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.spi.Limits;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests totals at the ends of their range. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ShardSumsTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters counters = Counters.over(fixture.connect());
    private final Firestore firestore = fixture.client();
    private final String name = "c-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -Limits.MAX_TOTAL - 1, Limits.MAX_TOTAL + 1, Long.MAX_VALUE})
    void get_outsideTheRange_isAnOverflow(long total) throws Exception {
        store(0, total);
        assertThatThrownBy(() -> counters.counter(name).get()).isInstanceOf(CounterOverflowException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {-Limits.MAX_TOTAL, Limits.MAX_TOTAL})
    void get_atTheEndsOfTheRange_isExact(long total) throws Exception {
        store(0, total);
        assertThat(counters.counter(name).get()).isEqualTo(total);
    }

    @Test
    void get_whileAnOverflowIsCorrected_returnsTheNewTotal() throws Exception {
        store(0, Limits.MAX_TOTAL);
        store(1, Limits.MAX_TOTAL);
        CompletableFuture<Reading> reading;
        try (InjectedFault fault =
                fixture.faults().inject(StoreFault.HOLD, 2)) { // the read of the shards after the sum
            reading = counters.counter(name).async().read(Duration.ZERO);
            Awaitility.await().until(fault::isHit);
            store(1, -1);
        }
        assertThat(reading.get().value()).isEqualTo(Limits.MAX_TOTAL - 1);
    }

    private void store(int shard, long count) throws Exception {
        DocumentReference counter = firestore.document("counters/" + name);
        counter.set(Map.of("num_shards", 10L)).get();
        counter.collection("shards")
                .document(String.valueOf(shard))
                .set(Map.of("count", count))
                .get();
    }
}
