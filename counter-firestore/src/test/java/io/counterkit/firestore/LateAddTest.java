package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.fixture.EndingCalls;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.fixture.LateCalls;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Futures;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the outcome of an add whose first attempt reaches the store late. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LateAddTest {
    private final FirestoreCounterOptions oneShard =
            FirestoreCounterOptions.builder().shards(1).build();
    private final FirestoreFixture fixture = new FirestoreFixture(oneShard, ClientRetries.NONE);
    private final Counters others = Counters.over(fixture.connect());
    private final String name = TestStore.name();

    @AfterEach
    void close() {
        others.close();
        fixture.close();
    }

    /** The second attempt finds no shard, and the backend is closed before the third. */
    @Test
    void closeAfterADefiniteAnswer_saysNothingAboutTheAttemptBefore() {
        LateCalls late = new LateCalls();
        EndingCalls calls = new EndingCalls();
        Firestore client = ClientRetries.NONE.connect(FirestoreFixture.emulator(), fixture.project(), calls, late);
        try {
            FirestoreCounterBackend backend = FirestoreCounterBackend.create(client, oneShard);
            backend.counters()
                    .add(List.of(new AddRequest(name, 1, null)), commit())
                    .join();
            others.counter(name).delete();
            late.delayNext();
            calls.arm(2, EndingCalls.Moment.ANSWERED, backend::close); // the read of the shard count
            @Nullable Throwable failure = backend.counters()
                    .add(List.of(new AddRequest(name, 5, null)), commit())
                    .<@Nullable Throwable>handle((results, failed) -> failed)
                    .join();
            assertThat(late.count()).isOne();
            assertThat(calls.isHit()).isTrue();
            others.counter(name).add(1);
            late.release();
            await().until(late::isQuiet);
            assertThat(others.counter(name).get())
                    .as("the late attempt is applied")
                    .isEqualTo(6);
            assertThat(failure).isNotNull();
            assertThat(Futures.unwrap(failure)).isNotInstanceOf(NotAppliedException.class);
        } finally {
            client.shutdown();
        }
    }

    private static Commit commit() {
        return new Commit(Duration.ofSeconds(20), new SecureRandom(), CountersListener.disabled());
    }
}
