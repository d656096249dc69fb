package io.counterkit.firestore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFutures;
import io.counterkit.CountersListener;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class RetryingClientTest {
    /** As Google's client fails when an interrupt arrives while it takes an answer on the caller's thread. */
    @Test
    void requestThatFailsAsInterrupted_leavesTheCallerInterrupted() {
        Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());
        try (RetryingClient client =
                new RetryingClient(new StoreClock(InstantSource.system()), new TokenRetention(Duration.ofHours(1)))) {
            assertThat(client.once(call, () -> ApiFutures.immediateFailedFuture(new InterruptedException())))
                    .isCompletedExceptionally();
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
