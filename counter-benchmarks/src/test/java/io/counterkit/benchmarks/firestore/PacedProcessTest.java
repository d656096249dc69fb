package io.counterkit.benchmarks.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacedProcessTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double EACH_MILLI = 1e6;

    private final AtomicLong now = new AtomicLong();

    @Test
    void operationsThatAStallDelays_areMeasuredFromWhenTheyWereDue() throws InterruptedException {
        AtomicLong started = new AtomicLong();
        PacedProcess process = new PacedProcess(
                () -> {
                    if (started.incrementAndGet() == 3) {
                        now.addAndGet(5 * MILLI);
                    }
                    return CompletableFuture.completedFuture(null);
                },
                now::get,
                now::addAndGet);
        process.start(10, 0, EACH_MILLI).await();
        List<Long> millis = new ArrayList<>();
        process.times()
                .recordedValues()
                .forEach(value -> millis.addAll(Collections.nCopies(
                        (int) value.getCountAtValueIteratedTo(), value.getValueIteratedTo() / MILLI)));
        // The third takes 5 ms; those due 1 to 4 ms after it have waited 4 to 1 ms, although each takes no time.
        assertThat(millis).containsExactly(0L, 0L, 0L, 0L, 0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(Math.round(process.delays().getMaxValue() / EACH_MILLI)).isEqualTo(4);
    }

    @Test
    void operations_doNotWaitForEarlierOnes() {
        List<CompletableFuture<Void>> pending = new ArrayList<>();
        PacedProcess process = new PacedProcess(
                () -> {
                    CompletableFuture<Void> answer = new CompletableFuture<>();
                    pending.add(answer);
                    return answer;
                },
                now::get,
                now::addAndGet);
        assertThat(process.start(10, 0, EACH_MILLI).getCount()).isEqualTo(10);
        assertThat(now).hasValue(9 * MILLI);
        now.set(100 * MILLI);
        pending.forEach(answer -> answer.complete(null));
        assertThat(process.times().getTotalCount()).isEqualTo(10);
        assertThat(Math.round(process.times().getMinValue() / EACH_MILLI)).isEqualTo(91);
    }

    @Test
    void aFailure_isReported() throws InterruptedException {
        Exception failed = new Exception("no store");
        PacedProcess process = new PacedProcess(() -> CompletableFuture.failedFuture(failed), now::get, now::addAndGet);
        process.start(2, 0, EACH_MILLI).await();
        assertThat(process.failure()).isSameAs(failed);
    }
}
