package io.counterkit.firestore.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.Timestamp;
import io.counterkit.Counters;
import io.counterkit.firestore.fixture.FirestoreFixture;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests foreign roll-ups with times that no roll-up of the backend can have. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ForeignRollupTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Counters counters = Counters.over(fixture.connect());
    private final Counters others = Counters.over(fixture.connect());
    private final String name = "c-" + UUID.randomUUID();

    @AfterEach
    void close() {
        counters.close();
        others.close();
        fixture.close();
    }

    @ParameterizedTest
    @MethodSource("moments")
    void read_withABound_ignoresIt(Timestamp at) throws Exception {
        counters.counter(name).add(5);
        fixture.client()
                .document("counters/" + name)
                .update("total", 3L, "total_at", at)
                .get();
        assertThat(others.counter(name).read(Duration.ofMinutes(1)).value()).isEqualTo(5);
    }

    static Stream<Timestamp> moments() {
        long hour = Timestamp.now().getSeconds() + 3600;
        return Stream.of(Timestamp.MIN_VALUE, Timestamp.ofTimeSecondsAndNanos(hour, 0), Timestamp.MAX_VALUE);
    }
}
