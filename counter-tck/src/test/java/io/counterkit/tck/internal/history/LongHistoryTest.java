package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.internal.history.LinearizabilityChecker.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Checks histories that are longer than those of a workload. */
class LongHistoryTest {
    /** Too few for a call of a method in another for each operation. */
    private static final long STACK_BYTES = 256 * 1024L;

    private final AtomicLong steps = new AtomicLong();
    private final List<Operation<CounterState>> history = new ArrayList<>();

    private Step<CounterState> counted(Step<CounterState> step) {
        return before -> {
            steps.incrementAndGet();
            return step.after(before);
        };
    }

    private void addAndRead(int times) {
        for (int i = 1; i <= times; i++) {
            Step<CounterState> add = counted(before -> before.added(1));
            history.add(Operation.applied(1, "add 1", 4L * i, 4L * i + 1, add, add));
            read(4L * i + 2, i);
        }
    }

    private void read(long start, long total) {
        history.add(Operation.observation(
                1, "read " + total, start, start + 1, counted(state -> state.total() == total ? state : null)));
    }

    @Test
    void historyWithMoreOperationsThanAStackHolds_isDecided() throws Exception {
        addAndRead(4_000);
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        Thread small = new Thread(
                null,
                () -> {
                    try {
                        verdict.complete(LinearizabilityChecker.check(
                                CounterState.ABSENT, history, Violation.MOST_CONFIGURATIONS));
                    } catch (Throwable e) { // StackOverflowError too
                        verdict.completeExceptionally(e);
                    }
                },
                "a small stack",
                STACK_BYTES);
        small.start();
        assertThat(verdict.get(2, TimeUnit.MINUTES)).isEqualTo(Verdict.LEGAL);
    }

    @Test
    void violationAtTheEndOfALongHistory_isShortenedInAFewSteps() {
        addAndRead(150);
        read(1_000, 1);

        Violation<CounterState> violation = Violation.find(CounterState.ABSENT, history);

        assertThat(violation).isNotNull();
        assertThat(violation.contradiction())
                .extracting(Operation::text)
                .endsWith("read 1")
                .hasSizeLessThan(history.size());
        assertThat(steps.get()).isLessThan(5_000_000);
    }
}
