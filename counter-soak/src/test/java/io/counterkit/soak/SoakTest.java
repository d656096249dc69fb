package io.counterkit.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SoakTest {
    private static SoakOptions.Builder options() {
        return SoakOptions.builder().operations(2_000).names(5, 2);
    }

    @Test
    void correctBackend_isExact() throws InterruptedException {
        List<SoakReport> reports = new ArrayList<>();

        SoakReport report = Soak.create(
                        InMemoryBackend.create(),
                        options().seed(7).prefix("mine").listener(reports::add).build())
                .run();

        assertThat(report.firstDifferences()).isEmpty();
        assertThat(report.isExact()).isTrue();
        assertThat(report.names()).isEqualTo(7);
        assertThat(report.operations()).isEqualTo(2_000);
        assertThat(report.adds()).isPositive();
        assertThat(report.committedAdds()).isGreaterThanOrEqualTo(report.adds());
        assertThat(report.commits()).isBetween(1L, report.committedAdds());
        assertThat(report.prefix()).isEqualTo("mine");
        assertThat(report.seed()).isEqualTo(7);
        assertThat(report.stopped()).isFalse();
        assertThat(reports).allMatch(SoakReport::isExact);
    }

    @Test
    void lostAdds_areFound() throws InterruptedException {
        AtomicInteger adds = new AtomicInteger();
        CounterBackend memory = InMemoryBackend.create();
        CounterStore losing = new ForwardingCounterStore(memory.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return adds.incrementAndGet() >= 20
                        ? CompletableFuture.completedFuture(Collections.nCopies(requests.size(), Result.applied()))
                        : store.add(requests, commit);
            }
        };
        CounterBackend broken = new ForwardingCounterBackend(memory, losing, memory.sequences());

        SoakReport report = Soak.create(broken, options().build()).run();

        assertThat(report.isExact()).isFalse();
        assertThat(report.differing()).isPositive();
        assertThat(report.firstDifferences()).anyMatch(text -> text.contains("the total is"));
    }

    @Test
    void faults_happenWhileWorkersWork() throws InterruptedException {
        AtomicBoolean isStarted = new AtomicBoolean();
        AtomicBoolean isStopped = new AtomicBoolean();
        FaultSource source = new FaultSource() {
            @Override
            public void start(double probability, long seed) {
                assertThat(probability).isEqualTo(0.25);
                isStarted.set(true);
            }

            @Override
            public void release() {
                assertThat(isStopped).isFalse();
            }

            @Override
            public void stop() {
                isStopped.set(true);
            }

            @Override
            public long count() {
                return 3;
            }
        };

        SoakReport report = Soak.create(
                        InMemoryBackend.create(), options().faults(source, 0.25).build())
                .run();

        assertThat(isStarted).isTrue();
        assertThat(isStopped).isTrue();
        assertThat(report.faults()).isEqualTo(3);
    }

    @Test
    void stopWhen_endsTheWorkAndChecksAll() throws InterruptedException {
        SoakReport report = Soak.create(
                        InMemoryBackend.create(),
                        SoakOptions.builder()
                                .duration(Duration.ofHours(1))
                                .stopWhen(() -> true)
                                .build())
                .run();

        assertThat(report.stopped()).isTrue();
        assertThat(report.isExact()).isTrue();
    }

    @Test
    void optionsOutOfBounds_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.builder().workers(0))
                .withMessage("workers 0: use 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.builder().names(0, 0))
                .withMessage("counters 0, sequences 0: use 0 or more, and not 0 for both");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.builder().operations(0))
                .withMessage("operations 0: use 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoakOptions.builder().prefix(""))
                .withMessageStartingWith("prefix is empty");
    }
}
