package io.counterkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.counterkit.tck.FaultInjector.InjectedFault;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FaultQueueTest {
    private final FaultQueue queue = new FaultQueue(Duration.ofMillis(1));
    private final InjectedFault injected = queue.inject(StoreFault.HOLD, 1);

    @Test
    void heldCall_isMadeWhenItsFaultEnds() {
        FaultQueue patient = new FaultQueue();
        InjectedFault fault = patient.inject(StoreFault.HOLD, 2);
        assertThat(patient.next()).isNull();
        FaultQueue.PendingFault hit = Objects.requireNonNull(patient.next());
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return hit.hold(() -> "made");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        fault.close();
        assertThat(answer.join()).isEqualTo("made");
    }

    /** A fixture that lets the caller time out and drops the call. */
    @Test
    void heldCallThatIsDropped_isReported() {
        assertThat(queue.next()).isNotNull();
        assertThatIllegalStateException()
                .isThrownBy(injected::close)
                .withMessage(
                        "a held call did not reach the store: the fixture has to pass it to hold() even if its caller"
                                + " gives up, on a thread that is not interrupted");
    }

    @Test
    void heldCallWhoseThreadIsInterrupted_isReported() {
        FaultQueue.PendingFault hit = Objects.requireNonNull(queue.next());
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> hit.hold(() -> "made"));
        assertThatIllegalStateException().isThrownBy(injected::close).withMessageStartingWith("a held call did not");
    }

    @Test
    void faultThatHitsNoCall_endsAtOnce() {
        injected.close();
        assertThat(queue.next()).isNull();
    }
}
