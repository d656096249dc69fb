package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages of calls that only read, while the store fails, and the conflicts that they report. */
class FailureMessagesTest extends StoreTest {
    private final Counters counters = Counters.over(DatastoreSequenceBackend.create(
            DatastoreSequenceOptions.builder().maxAttempts(1).build()));

    @BeforeEach
    void failEachCall() {
        store.delegate().disturb(method -> Disturbance.failBefore(Disturbance.StoreError.TIMEOUT));
    }

    @Test
    void readOfOneCounter_namesIt() {
        assertFails(() -> counters.counter("likes").get(), "reading 'likes': it was tried once");
    }

    @Test
    void readOfManyCounters_statesHowMany() {
        assertFails(() -> counters.readAll(List.of("likes", "views"), Duration.ZERO), "reading 2 names: ");
    }

    @Test
    void list_statesThePrefix() {
        assertFails(() -> counters.counterNames("posts/"), "listing names under 'posts/': ");
    }

    @Test
    void resolution_statesTheToken() {
        assertFails(() -> counters.resolve(IdempotencyToken.of("order-17")), "resolving token order-17: ");
    }

    @Test
    void conflicts_areThoseOfCountersAndSequences() {
        AtomicBoolean isNextDisturbed = new AtomicBoolean(true);
        store.delegate()
                .disturb(method -> method.equals("Get") && isNextDisturbed.getAndSet(false)
                        ? Disturbance.failBefore(Disturbance.StoreError.CONTENTION)
                        : null);
        List<String> conflicts = new ArrayList<>();
        CountersListener listener = new CountersListener() {
            @Override
            public void onConflict(String name) {
                conflicts.add(name);
            }
        };
        Counters patient = Counters.over(
                backend(), CountersOptions.builder().listener(listener).build());
        assertThat(patient.readAll(List.of("likes", "views"), Duration.ZERO).failures())
                .isEmpty();
        assertThat(conflicts).containsExactly("likes", "views");
        conflicts.clear();
        isNextDisturbed.set(true);
        assertThat(patient.resolve(IdempotencyToken.of("order-17")).applied()).isFalse();
        assertThat(isNextDisturbed).isFalse();
        assertThat(conflicts).isEmpty();
    }

    private static void assertFails(ThrowingCallable call, String message) {
        assertThatExceptionOfType(CounterException.class).isThrownBy(call).withMessageContaining(message);
    }
}
