package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.FirestoreFixture.ClientRetries;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Loses the reply of each RPC of each change, with each status in its place, and tests the reported outcome: a change
 * that returned was applied once, one reported as not applied was not, and the token of any other decides.
 */
@Tag("exhaustive")
@ParameterizedClass
@EnumSource(ClientRetries.class)
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReplyLossTest {
    private static final int MOST_CALLS = 60;

    private final FirestoreFixture fixture;
    private final Counters here;
    private final Counters there;

    ReplyLossTest(ClientRetries retries) {
        fixture = new FirestoreFixture(FirestoreCounterOptions.defaults(), retries);
        here = Counters.over(fixture.connect());
        there = Counters.over(fixture.connect());
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        fixture.close();
    }

    /** A change, and the checks for both outcomes. */
    private record Trial(Runnable change, Consumer<Boolean> check) {}

    @Test
    void add() {
        sweep(() -> {
            Counter counter = counterOfFive();
            return new Trial(() -> counter.add(3), applied -> assertTotal(counter, applied ? 8 : 5));
        });
    }

    @Test
    void firstAdd() {
        sweep(() -> {
            Counter counter = here.counter(name());
            return new Trial(() -> counter.add(3), applied -> assertTotal(counter, applied ? 3 : 0));
        });
    }

    @Test
    void addWithToken() {
        sweep(() -> {
            Counter counter = counterOfFive();
            IdempotencyToken token = IdempotencyToken.random();
            return new Trial(() -> counter.add(3, token), applied -> {
                assertTotal(counter, applied ? 8 : 5);
                if (applied) {
                    there.counter(counter.name()).add(3, token);
                    assertTotal(counter, 8);
                }
            });
        });
    }

    @Test
    void reset() {
        sweep(() -> {
            Counter counter = counterOfFive();
            return new Trial(counter::reset, applied -> {
                counter.add(2);
                assertTotal(counter, applied ? 2 : 7);
            });
        });
    }

    @Test
    void delete() {
        sweep(() -> {
            Counter counter = counterOfFive();
            return new Trial(counter::delete, applied -> {
                assertThat(there.counterNames(counter.name()).names()).hasSize(applied ? 0 : 1);
                counter.add(2);
                assertTotal(counter, applied ? 2 : 7);
            });
        });
    }

    @Test
    void append() {
        sweep(() -> {
            Sequence sequence = sequenceOfOne();
            return new Trial(
                    () -> assertThat(sequence.append(Map.of("a", "c")).number()).isEqualTo(2),
                    applied -> assertTail(sequence, new Tail(applied ? 2 : 1, applied ? 2 : 1, null)));
        });
    }

    @Test
    void appendWithToken() {
        sweep(() -> {
            Sequence sequence = sequenceOfOne();
            IdempotencyToken token = IdempotencyToken.random();
            return new Trial(
                    () -> assertThat(sequence.append(Map.of("a", "c"), token).number())
                            .isEqualTo(2),
                    applied -> {
                        assertTail(sequence, new Tail(applied ? 2 : 1, applied ? 2 : 1, null));
                        if (applied) {
                            Entry again = there.sequence(sequence.name()).append(Map.of("a", "c"), token);
                            assertThat(again.number()).isEqualTo(2);
                            assertTail(sequence, new Tail(2, 2, null));
                        }
                    });
        });
    }

    @Test
    void appendWithSubject() {
        sweep(() -> {
            Sequence sequence = sequenceOfOne();
            return new Trial(
                    () -> assertThat(sequence.append(Change.REMOVED, "subject", Map.of())
                                    .liveCount())
                            .isZero(),
                    applied -> assertTail(sequence, new Tail(applied ? 2 : 1, applied ? 0 : 1, null)));
        });
    }

    @Test
    void erase() {
        sweep(() -> {
            Sequence sequence = sequenceOfOne();
            return new Trial(() -> sequence.erase(1), applied -> {
                Entry entry = there.sequence(sequence.name()).read(1, 1).get(0);
                assertThat(entry.erased()).isEqualTo(applied);
                assertThat(entry.fields()).hasSize(applied ? 0 : 1);
                assertTail(sequence, new Tail(1, 1, null));
            });
        });
    }

    @Test
    void seal() {
        sweep(() -> {
            Sequence sequence = sequenceOfOne();
            return new Trial(() -> sequence.seal("elsewhere"), applied -> {
                Seal seal = there.sequence(sequence.name()).tail().seal();
                assertThat(seal == null ? null : seal.forward()).isEqualTo(applied ? "elsewhere" : null);
                assertThat(sequence.last()).isOne();
            });
        });
    }

    @Test
    void resolveWhatWasApplied() {
        sweep(() -> {
            Counter counter = counterOfFive();
            IdempotencyToken token = IdempotencyToken.random();
            counter.add(3, token);
            Resolution right = new Resolution.Added(counter.name(), 3);
            return new Trial(() -> assertThat(here.resolve(token)).isEqualTo(right), applied -> {
                assertThat(there.resolve(token)).isEqualTo(right);
                assertTotal(counter, 8);
            });
        });
    }

    @Test
    void resolveWhatWasNot() {
        sweep(() -> {
            Counter counter = counterOfFive();
            IdempotencyToken token = IdempotencyToken.random();
            Resolution right = new Resolution.NotApplied();
            return new Trial(() -> assertThat(here.resolve(token)).isEqualTo(right), applied -> {
                assertThat(there.resolve(token)).isEqualTo(right);
                assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> counter.add(3, token));
                assertTotal(counter, 5);
            });
        });
    }

    private void sweep(Supplier<Trial> ready) {
        for (Status.Code shown : Status.Code.values()) {
            if (shown != Status.Code.OK) {
                sweep(shown, ready);
            }
        }
    }

    /** Injects the fault at the first call of the change, the second, and so on until there is no such call. */
    private void sweep(Status.Code shown, Supplier<Trial> ready) {
        for (int call = 1; call <= MOST_CALLS; call++) {
            Trial trial = ready.get();
            Supplier<Boolean> applied;
            boolean hit;
            try (CallFault fault = fixture.inject(StoreFault.LOSE_REPLY, call, shown)) {
                applied = run(trial.change());
                hit = fault.isHit();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("reply lost at call " + call + ", shown as " + shown, e);
            }
            try {
                trial.check().accept(applied.get());
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("after the reply was lost at call " + call + ", shown as " + shown, e);
            }
            if (!hit) {
                assertThat(call).as("calls that the change makes, and one").isGreaterThan(1);
                return;
            }
        }
        throw new AssertionError("the change made more than " + MOST_CALLS + " calls");
    }

    /** Returns whether the change was applied by its reported outcome; another process resolves an unknown one. */
    private Supplier<Boolean> run(Runnable change) {
        try {
            change.run();
            return () -> true;
        } catch (OutcomeUnknownException e) {
            return () -> there.resolve(e.token()).applied();
        } catch (NotAppliedException e) {
            return () -> false;
        }
    }

    private static String name() {
        return "loss/" + UUID.randomUUID();
    }

    private Counter counterOfFive() {
        Counter counter = here.counter(name());
        counter.add(5);
        return counter;
    }

    private Sequence sequenceOfOne() {
        Sequence sequence = here.sequence(name());
        sequence.append(Change.ADDED, "subject", Map.of("a", "b"));
        return sequence;
    }

    private void assertTotal(Counter counter, long total) {
        assertThat(there.counter(counter.name()).get()).as("total").isEqualTo(total);
    }

    private void assertTail(Sequence sequence, Tail tail) {
        assertThat(there.sequence(sequence.name()).tail()).isEqualTo(tail);
        assertThat(there.sequence(sequence.name()).read(1, 9)).hasSize((int) tail.last());
    }
}
