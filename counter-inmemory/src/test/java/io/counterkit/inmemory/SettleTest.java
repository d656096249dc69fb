package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Futures;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settles unknown outcomes, blocking and not, while the store fails. */
class SettleTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(500);

    private final InMemoryStore store = InMemoryStore.create(
            InMemoryOptions.builder().batches(BatchLimits.ofWeight(10)).build());
    private final Counters counters = Counters.over(
            InMemoryBackend.over(store),
            CountersOptions.builder().deadline(Duration.ofSeconds(2)).build());
    private final Counter likes = counters.counter("likes");

    private enum Caller {
        BLOCKING {
            @Override
            Resolution settle(Counters counters, IdempotencyToken token, Duration timeout) {
                return counters.settle(token, timeout);
            }
        },
        ASYNCHRONOUS {
            @Override
            Resolution settle(Counters counters, IdempotencyToken token, Duration timeout) {
                try {
                    return counters.async().settle(token, timeout).join();
                } catch (CompletionException e) {
                    throw (RuntimeException) Futures.unwrap(e);
                }
            }
        };

        abstract Resolution settle(Counters counters, IdempotencyToken token, Duration timeout);
    }

    @ParameterizedTest
    @EnumSource
    void addWhoseReplyWasLost_isSettledAsApplied(Caller caller) {
        IdempotencyToken token = unknownAdd();
        assertThat(caller.settle(counters, token, LONG)).isEqualTo(new Resolution.Added("likes", 5));
    }

    @ParameterizedTest
    @EnumSource
    void addThatIsHeld_isSettledAsNotApplied_andNeverApplied(Caller caller) {
        Injection held = store.faults().inject(Fault.HOLD, Calls.next());
        IdempotencyToken token = unknown();
        assertThat(caller.settle(counters, token, LONG)).isEqualTo(new Resolution.NotApplied());
        held.release();
        assertThat(likes.get()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void outageThatEnds_isWaitedFor(Caller caller) {
        IdempotencyToken token = unknownAdd();
        Injection outage = store.faults().inject(Fault.FAIL, new Calls(null, 0, 3, 1, new Random(1)));
        assertThat(caller.settle(counters, token, LONG).applied()).isTrue();
        assertThat(outage.hits()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void timeout_mayBeAsLongAsADurationCan(Caller caller) {
        IdempotencyToken token = unknownAdd();
        assertThat(caller.settle(counters, token, Duration.ofSeconds(Long.MAX_VALUE))
                        .applied())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void outageThatLasts_leavesTheOutcomeUnknown(Caller caller) {
        IdempotencyToken token = unknownAdd();
        Injection outage = store.faults().inject(Fault.FAIL, Calls.all());
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> caller.settle(counters, token, SHORT))
                .withMessageContaining("token " + token + " is not settled: 500 ms passed, and the last attempt failed")
                .satisfies(e -> assertThat(e.token()).isEqualTo(token));
        assertThat(outage.hits()).isGreaterThan(1);
        store.faults().clear();
        assertThat(caller.settle(counters, token, SHORT).applied()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void zeroTimeout_resolvesOnce(Caller caller) {
        IdempotencyToken token = unknownAdd();
        Injection outage = store.faults().inject(Fault.FAIL, Calls.all());
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> caller.settle(counters, token, Duration.ZERO));
        assertThat(outage.hits()).isEqualTo(1);
        store.faults().clear();
        assertThat(caller.settle(counters, token, Duration.ZERO).applied()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void negativeTimeout_isRefused(Caller caller) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> caller.settle(counters, IdempotencyToken.random(), Duration.ofSeconds(-1)))
                .withMessage("timeout -1 s: use zero to resolve once, or more");
    }

    @ParameterizedTest
    @EnumSource
    void useAfterClose_isRefused(Caller caller) {
        counters.close();
        assertThatIllegalStateException().isThrownBy(() -> caller.settle(counters, IdempotencyToken.random(), LONG));
    }

    @Test
    void interruptedCaller_keepsItsFlag_andMaySettleLater() {
        IdempotencyToken token = unknownAdd();
        store.faults().inject(Fault.FAIL, Calls.all());
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> counters.settle(token, LONG));
        assertThat(Thread.interrupted()).isTrue();
        store.faults().clear();
        assertThat(counters.settle(token, LONG).applied()).isTrue();
    }

    @Test
    void close_endsAnAsynchronousSettlement() {
        IdempotencyToken token = unknownAdd();
        store.faults().inject(Fault.FAIL, Calls.all());
        CompletableFuture<Resolution> settled = counters.async().settle(token, LONG);
        counters.close();
        assertThat(settled).failsWithin(LONG);
    }

    /** An add of 5 that was applied and whose reply was lost. */
    private IdempotencyToken unknownAdd() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next());
        return unknown();
    }

    private IdempotencyToken unknown() {
        return catchThrowableOfType(OutcomeUnknownException.class, () -> likes.add(5))
                .token();
    }
}
