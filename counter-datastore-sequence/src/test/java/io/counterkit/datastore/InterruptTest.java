package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.spi.AddRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread that is interrupted during a call to the store: its operation ends with an outcome, the thread keeps its
 * interrupt flag, and no transaction stays open, which would block others on a store that locks.
 */
class InterruptTest extends StoreTest {
    private final String name = "c-" + UUID.randomUUID();
    private final IdempotencyToken token = IdempotencyToken.random();

    @ParameterizedTest
    @ValueSource(strings = {"BeginTransaction", "Get", "Put", "Commit"})
    void interruptedThread_endsItsTransactionAndKeepsItsFlag(String method) {
        counters().counter(name).add(1);
        AtomicBoolean isHeld = new AtomicBoolean();
        store.delegate().disturb(called -> {
            if (called.equals(method) && isHeld.compareAndSet(false, true)) {
                Thread.currentThread().interrupt();
                return Disturbance.hold();
            }
            return null;
        });

        CompletableFuture<?> added = backend().counters().add(List.of(new AddRequest(name, 5, token)), commit());

        assertThat(Thread.interrupted()).as("the interrupt flag").isTrue();
        assertThat(added).isCompletedExceptionally();
        assertThat(added.handle((value, failure) -> failure).join()).isInstanceOf(CounterException.class);
        store.delegate().assertAllTransactionsAreEnded();
        store.delegate().release();
        Counters.over(backend()).counter(name).add(5, token);
        assertThat(counters().counter(name).get()).isEqualTo(6);
    }
}
