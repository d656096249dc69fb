package io.counterkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Capability;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests that the messages for an unfinished backend name the missing part. */
class UnfinishedBackendTest {
    private final ScriptedBackend backend = ScriptedBackend.capableOf(Set.of(Capability.TOP));

    @Test
    void missingPart_isNamed() {
        isNamed(new ForwardingCounterBackend(backend, null, backend.sequences()), "counters()");
        isNamed(new ForwardingCounterBackend(backend, backend.counters(), null), "sequences()");
        isNamed(
                new ForwardingCounterBackend(backend) {
                    @Override
                    public Set<Capability> capabilities() {
                        return null;
                    }
                },
                "capabilities()");
        isNamed(
                new ForwardingCounterBackend(backend) {
                    @Override
                    public Duration retention() {
                        return null;
                    }
                },
                "retention()");
        CounterStore counters = new ForwardingCounterStore(backend.counters()) {
            @Override
            public BatchLimits limits() {
                return null;
            }
        };
        isNamed(new ForwardingCounterBackend(backend, counters, backend.sequences()), "the limits() of its counters");
        SequenceStore sequences = new ForwardingSequenceStore(backend.sequences()) {
            @Override
            public BatchLimits limits() {
                return null;
            }
        };
        isNamed(new ForwardingCounterBackend(backend, backend.counters(), sequences), "the limits() of its sequences");
    }

    private static void isNamed(CounterBackend unfinished, String part) {
        assertThatNullPointerException()
                .isThrownBy(() -> Counters.over(unfinished))
                .withMessage("the backend returned null for " + part);
    }

    @Test
    void missingAnswer_isAFailure() {
        Counters counters = Counters.over(new ForwardingCounterBackend(backend, new Empty(), backend.sequences()));
        fails(() -> counters.counterNames("", null, 1), "the backend returned no answer");
        fails(() -> counters.counter("likes").get(), "the backend returned 0 results for 1 names");
        fails(() -> counters.readAll(List.of("a", "b"), Duration.ZERO), "the backend returned 0 results for 2 names");
    }

    @Test
    void missingResultOfAChange_leavesItsOutcomeUnknown() {
        SequenceStore sequences = new ForwardingSequenceStore(backend.sequences()) {
            @Override
            public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
                return CompletableFuture.completedFuture(null);
            }
        };
        Counters counters = Counters.over(new ForwardingCounterBackend(backend, backend.counters(), sequences));
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> counters.sequence("invoices").erase(1))
                .withMessageContaining("the backend returned no answer");
    }

    private static void fails(ThrowingCallable read, String reason) {
        assertThatExceptionOfType(CounterException.class).isThrownBy(read).withMessageEndingWith(reason);
    }

    private final class Empty extends ForwardingCounterStore {
        private Empty() {
            super(backend.counters());
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
