package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.spi.Limits;
import io.counterkit.tck.internal.history.History.Pending;
import io.counterkit.tck.internal.history.Workload.Checked;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that histories of a counter with many unknown outcomes, many callers or many operations are decided. */
class DecidedHistoryTest {
    private static final String NAME = "counter";

    private final CounterCalls calls = new CounterCalls(NAME, System::nanoTime);

    @Test
    void manyUnknownAddsThatWereResolvedBothWays_areDecided() {
        List<IdempotencyToken> tokens =
                Stream.generate(IdempotencyToken::random).limit(30).toList();
        tokens.forEach(token -> unknownAdd(1, token));
        read(15);
        for (int i = 0; i < tokens.size(); i++) {
            Resolution resolution = i % 2 == 0 ? new Resolution.Added(NAME, 1) : new Resolution.NotApplied();
            calls.resolve(2, tokens.get(i)).end(() -> resolution);
        }
        read(15);
        assertLegal();
        read(16);
        assertIllegal();
    }

    @Test
    void unknownAddThatWasResolvedAsNotApplied_isPartOfTheContradiction() {
        IdempotencyToken token = IdempotencyToken.random();
        unknownAdd(7, token);
        read(7);
        calls.resolve(2, token).end(Resolution.NotApplied::new);
        assertThat(violation()).contains("read -> 7", "resolve token t1", "add 7 -> unknown, token t1");
    }

    @Test
    void roundsOfManyConcurrentAdds_areDecided() {
        for (int round = 1; round <= 500; round++) {
            addAtOnce(16);
            read(16L * round);
        }
        assertLegal();
        read(1);
        assertIllegal();
    }

    @Test
    void addThatEndedBeforeConcurrentOnes_isNotDelayed() {
        addAtOnce(3);
        Pending<Long> read = calls.read(2, "read");
        addAtOnce(3);
        read.end(() -> 2L);
        assertIllegal();
    }

    @Test
    void violationOfALongHistory_hasAShortMessage() {
        for (long i = 1; i <= 2_000; i++) {
            addAtOnce(1);
            read(i);
        }
        read(5);
        assertThat(violation().lines()).hasSizeLessThan(110);
        assertThat(violation()).contains("are not shown)", "read -> 5");
    }

    @Test
    void totalOutOfRange_cannotBeRead() {
        addLargest(Limits.MAX_TOTAL / Limits.MAX_DELTA);
        read(Limits.MAX_TOTAL);
        addLargest(1);
        overflow();
        calls.reset(1).end(() -> true);
        read(0);
        assertLegal();
        overflow();
        assertIllegal();
    }

    @Test
    void totalOutOfRangeThatIsRead_isIllegal() {
        long adds = Limits.MAX_TOTAL / Limits.MAX_DELTA + 1;
        addLargest(adds);
        read(adds * Limits.MAX_DELTA);
        assertIllegal();
    }

    private void unknownAdd(long delta, IdempotencyToken token) {
        calls.add(1, delta, null).end(() -> {
            throw new OutcomeUnknownException("", token, new IllegalStateException());
        });
    }

    /** Adds 1 several times, concurrently. */
    private void addAtOnce(int count) {
        List<Pending<Boolean>> pending = IntStream.range(0, count)
                .mapToObj(process -> calls.add(process, 1, null))
                .toList();
        pending.forEach(add -> add.end(() -> true));
    }

    private void addLargest(long times) {
        for (long i = 0; i < times; i++) {
            calls.add(1, Limits.MAX_DELTA, null).end(() -> true);
        }
    }

    private void read(long total) {
        calls.read(2, "read").end(() -> total);
    }

    private void overflow() {
        calls.read(2, "read").end(() -> {
            throw new CounterOverflowException("");
        });
    }

    private void assertLegal() {
        assertThat(check()).isEqualTo(new Checked(null, true));
    }

    private void assertIllegal() {
        assertThat(check().isDecided()).isTrue();
        assertThat(violation()).startsWith(NAME);
    }

    private String violation() {
        return String.valueOf(check().violation());
    }

    private Checked check() {
        return Violation.check(NAME, calls.history());
    }
}
