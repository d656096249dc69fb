package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that nothing is sent after the deadline of a call. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DeadlineTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final FirestoreCounterBackend backend = fixture.connect();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void callAfterItsDeadline_sendsNothing() {
        Call call = new Call(Duration.ofNanos(1), CountersListener.disabled());
        Awaitility.await().until(() -> call.remaining().isNegative());
        assertThatThrownBy(backend.resolve(IdempotencyToken.random(), null, call)::get);
        assertThatThrownBy(backend.sequences().tail("s-" + UUID.randomUUID(), call)::get);
        assertThat(fixture.faults().calls()).isEmpty();
    }
}
