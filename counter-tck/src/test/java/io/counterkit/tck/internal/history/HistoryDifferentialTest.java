package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.ChangeRefusedException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.tck.internal.history.BruteForce.Call;
import io.counterkit.tck.internal.history.BruteForce.Failed;
import io.counterkit.tck.internal.history.BruteForce.Model;
import io.counterkit.tck.internal.history.BruteForce.Observed;
import io.counterkit.tck.internal.history.BruteForce.Recent;
import io.counterkit.tck.internal.history.BruteForce.SealedBy;
import io.counterkit.tck.internal.history.History.Pending;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the checks of complete histories with a trial of all orders, on random legal histories and on ones with one
 * change. {@code -Dcounterkit.differential=…} sets how many histories the exhaustive tests compare, {@code
 * -Dcounterkit.seed=…} the first seed.
 */
class HistoryDifferentialTest {
    private static final int FEW = 4_000;
    private static final int MANY = Integer.getInteger("counterkit.differential", 500_000);

    private final long seed = Long.getLong("counterkit.seed", System.nanoTime());

    private enum Kind {
        COUNTER,
        SEQUENCE
    }

    @Test
    void historiesOfACounter_areDecidedAsByATrialOfAllOrders() {
        compare(Kind.COUNTER, FEW);
    }

    @Test
    void historiesOfASequence_areDecidedAsByATrialOfAllOrders() {
        compare(Kind.SEQUENCE, FEW);
    }

    @Test
    @Tag("nightly")
    void manyHistoriesOfACounter_areDecidedAsByATrialOfAllOrders() {
        compare(Kind.COUNTER, MANY);
    }

    @Test
    @Tag("nightly")
    void manyHistoriesOfASequence_areDecidedAsByATrialOfAllOrders() {
        compare(Kind.SEQUENCE, MANY);
    }

    private void compare(Kind kind, int count) {
        int illegal = 0;
        for (int i = 0; i < count; i++) {
            illegal += kind == Kind.COUNTER
                    ? compare(
                            seed + i,
                            new CounterOracle(),
                            CounterOracle.ABSENT,
                            (random, tokens, index) -> CounterOracle.call(random, tokens),
                            CounterOracle.NAME,
                            HistoryDifferentialTest::isLegalForACounter)
                    : compare(
                            seed + i,
                            new SequenceOracle(),
                            SequenceOracle.EMPTY,
                            SequenceOracle::call,
                            SequenceOracle.NAME,
                            HistoryDifferentialTest::isLegalForASequence);
        }
        assertThat(illegal).as("illegal histories of " + count).isBetween(count / 5, count * 4 / 5);
    }

    /** Compares the verdicts on a history, and returns 1 if it is illegal. */
    private static <S> int compare(
            long seed,
            Model<S> model,
            S initial,
            RandomHistory.Calls calls,
            String name,
            Function<List<Observed>, Boolean> checker) {
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<Observed> history = new RandomHistory<>(random, model, initial, calls).generate();
        boolean isChanged = random.nextInt(4) > 0;
        if (isChanged) {
            history = new Mutation(random, name).of(history);
        }
        boolean expected = BruteForce.isLegal(model, initial, history);
        if (!isChanged && !expected) {
            throw new AssertionError("seed " + seed + ": the generated history has to be legal:" + lines(history));
        }
        if (checker.apply(history) != expected) {
            throw new AssertionError("seed " + seed + ": a trial of all orders says that this history is "
                    + (expected ? "legal" : "illegal") + ", and the checker does not:" + lines(history));
        }
        return expected ? 0 : 1;
    }

    private static String lines(List<Observed> history) {
        return history.stream()
                .map(each -> "\n  " + each.start() + ".." + each.end() + " process " + each.process() + ": "
                        + each.call() + " -> " + each.answer())
                .collect(Collectors.joining());
    }

    private static boolean isLegalForACounter(List<Observed> history) {
        AtomicLong time = new AtomicLong();
        CounterCalls calls = new CounterCalls(CounterOracle.NAME, time::get);
        replay(history, time, observed -> begin(calls, observed));
        return isLegal(calls.history());
    }

    private static boolean isLegalForASequence(List<Observed> history) {
        AtomicLong time = new AtomicLong();
        SequenceCalls calls = new SequenceCalls(SequenceOracle.NAME, time::get);
        replay(history, time, observed -> begin(calls, observed));
        return isLegal(calls.history());
    }

    private static <S extends ObjectState<S>> boolean isLegal(History<S> history) {
        Workload.Checked checked = Violation.check("object", history);
        assertThat(checked.isDecided()).isTrue();
        return checked.violation() == null;
    }

    /** Calls and answers in the order of their times. */
    private static void replay(List<Observed> history, AtomicLong time, Function<Observed, Pending<?>> begin) {
        record Event(long time, Runnable run) {}
        List<Event> events = new ArrayList<>();
        for (Observed observed : history) {
            List<Pending<?>> pending = new ArrayList<>();
            events.add(new Event(observed.start(), () -> pending.add(begin.apply(observed))));
            events.add(new Event(observed.end(), () -> end(pending.get(0), observed)));
        }
        events.sort(Comparator.comparingLong(Event::time));
        for (Event event : events) {
            time.set(TimeUnit.SECONDS.toNanos(event.time()));
            event.run().run();
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> void end(Pending<T> pending, Observed observed) {
        pending.end(() -> {
            Object answer = observed.answer();
            if (answer instanceof SealedBy by) {
                throw new SealedException("name", by.seal());
            }
            if (answer instanceof Recent recent) {
                return (T) new Reading(recent.total(), Instant.EPOCH, Duration.ofSeconds(recent.age()));
            }
            if (!(answer instanceof Failed failed)) {
                return (T) answer;
            }
            throw switch (failed) {
                case UNKNOWN ->
                    new OutcomeUnknownException("", IdempotencyToken.of(observed.token()), new IllegalStateException());
                case NOT_APPLIED -> new NotAppliedException("");
                case TOKEN_REFUSED -> new TokenRefusedException("");
                case REFUSED ->
                    observed.call().kind().equals("append")
                            ? new ChangeRefusedException("")
                            : new IllegalArgumentException();
            };
        });
    }

    private static @Nullable IdempotencyToken token(Call call) {
        return call.token() == null ? null : IdempotencyToken.of(call.token());
    }

    private static Pending<?> begin(CounterCalls calls, Observed observed) {
        Call call = observed.call();
        int process = observed.process();
        return switch (call.kind()) {
            case "add" -> calls.add(process, call.number(), token(call));
            case "reset" -> calls.reset(process);
            case "delete" -> calls.delete(process);
            case "seal" -> calls.seal(process, Objects.requireNonNull(call.text()));
            case "resolve" -> calls.resolve(process, Objects.requireNonNull(token(call)));
            case "listed" -> calls.isListed(process);
            case "recent" -> calls.read(process, "recent", Duration.ofDays(1));
            default -> calls.read(process, "read");
        };
    }

    private static Pending<?> begin(SequenceCalls calls, Observed observed) {
        Call call = observed.call();
        int process = observed.process();
        return switch (call.kind()) {
            case "append" -> {
                SequenceOracle.Wish wish = SequenceOracle.Wish.of(call);
                yield calls.append(process, wish.change(), wish.subject(), wish.value(), token(call));
            }
            case "erase" -> calls.erase(process, call.number());
            case "seal" -> calls.seal(process, Objects.requireNonNull(call.text()));
            case "resolve" -> calls.resolve(process, Objects.requireNonNull(token(call)));
            case "tail" -> calls.tail(process);
            case "listed" -> calls.isListed(process);
            default -> calls.read(process, 1, 999);
        };
    }
}
