package io.counterkit.firestore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.api.core.SettableApiFuture;
import io.counterkit.CountersListener;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class RetryingClientTest {
    private final Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());

    @Test
    void interruptedCaller_getsTheAnswer_andStaysInterrupted() {
        try (RetryingClient client =
                new RetryingClient(new StoreClock(InstantSource.system()), new TokenRetention(Duration.ofHours(1)))) {
            SettableApiFuture<Integer> attempt = SettableApiFuture.create();
            attempt.set(7);
            Thread.currentThread().interrupt();
            CompletableFuture<Integer> answer = client.once(call, () -> taken(attempt));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(answer).isCompletedWithValue(7);
        }
    }

    /** Takes an answer as {@code com.google.api.gax.retrying.CallbackChainRetryingFuture} does. */
    private static <T> ApiFuture<T> taken(ApiFuture<T> attempt) {
        try {
            return ApiFutures.immediateFuture(attempt.get());
        } catch (InterruptedException | ExecutionException e) {
            return ApiFutures.immediateFailedFuture(e);
        }
    }
}
