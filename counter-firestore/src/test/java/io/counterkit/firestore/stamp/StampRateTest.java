package io.counterkit.firestore.stamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what commits with stamps use of the rate of writes to their shard. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StampRateTest {
    private final String name = TestStore.name();

    @Test
    void commitThatIsNotSent_usesNothing() {
        try (TestStore store = new TestStore(FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .shards(1)
                        .writesPerShard(0.001, 1)
                        .build());
                Counters other = store.another();
                Counters counters = Counters.over(
                        store.backend(),
                        CountersOptions.builder()
                                .deadline(Duration.ofSeconds(10))
                                .build())) {
            other.counter(name).add(1);
            Counter counter = counters.counter(name);
            try (CallFault fault = store.faults().inject(StoreFault.FAIL_BEFORE, 1, Status.Code.PERMISSION_DENIED)) {
                assertThatExceptionOfType(NotAppliedException.class).isThrownBy(() -> counter.add(2));
                assertThat(fault.isHit()).isTrue();
            }
            counter.add(4);
            assertThat(counter.get()).isEqualTo(5);
        }
    }
}
