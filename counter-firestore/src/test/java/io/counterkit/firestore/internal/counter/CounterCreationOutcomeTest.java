package io.counterkit.firestore.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the outcome that the creation of a counter reports. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CounterCreationOutcomeTest {
    private final FirestoreFixture fixture = new FirestoreFixture(
            FirestoreCounterOptions.builder().deadline(Duration.ofSeconds(6)).build(),
            FirestoreFixture.ClientRetries.DEFAULT);
    private final FirestoreCounterBackend backend = fixture.connect();
    private final Counters counters = Counters.over(backend);
    private final String name = "c-" + UUID.randomUUID();

    /** Sends a first call, which takes long. */
    @BeforeEach
    void connect() {
        counters.counter(name).get();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void create_withAHeldCommit_isUnknownUntilItsTokenIsResolved() throws Exception {
        Throwable failure;
        try (CallFault fault = fixture.inject(StoreFault.HOLD, 3, Status.Code.UNAVAILABLE)) {
            failure = catchThrowable(backend.create(name, 3)::get).getCause();
            assertThat(fault.isHit()).isTrue();
        }
        assertThat(backend.describe(name).get().shardCount()).isEqualTo(3);
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class);
        assertThat(counters.resolve(((OutcomeUnknownException) failure).token()))
                .isEqualTo(new Resolution.Done(name));
    }

    @Test
    void create_withAHeldRead_changesNothing() {
        try (CallFault fault = fixture.inject(StoreFault.HOLD, 2, Status.Code.UNAVAILABLE)) {
            assertThatThrownBy(backend.create(name, 3)::get).cause().isInstanceOf(NotAppliedException.class);
            assertThat(fault.isHit()).isTrue();
        }
    }

    @Test
    void create_inAMissingDatabase_namesTheDatabase() {
        try (CallFault fault = fixture.inject(StoreFault.FAIL_BEFORE, 1, Status.Code.NOT_FOUND)) {
            assertThatThrownBy(backend.create(name, 3)::get)
                    .hasMessageContaining("database")
                    .hasMessageNotContaining("null");
            assertThat(fault.isHit()).isTrue();
        }
    }
}
