package io.counterkit.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.AlteredBackend;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** The progress of an ingest counts the adds that have their outcome. */
class IngestProgressTest {
    private DoubleSupplier countedBytes = () -> 0;

    @Test
    void partThatIsSent_isCountedInProportion() throws Exception {
        List<Double> counted = new ArrayList<>();
        AlteredBackend backend = new AlteredBackend() {
            @Override
            protected CompletableFuture<List<Result<Void>>> add(AddRequest request, Commit commit) {
                counted.add(countedBytes.getAsDouble());
                return super.add(request, commit);
            }
        };
        try (Counters counters = Counters.over(backend)) {
            Parts parts = new Parts(null, Position.atStart("run"), 1, () -> {});
            countedBytes = parts::countedBytes;
            parts.add(new Tally(counters.counter("a").async()), 1);
            parts.add(new Tally(counters.counter("b").async()), 1);
            assertThat(parts.countedBytes()).isZero();

            assertThat(parts.trySend(new Position.Mark(2, 100, 0))).isTrue();

            assertThat(counted).containsExactly(0.0, 50.0);
            assertThat(parts.countedBytes()).isEqualTo(100);
        }
    }

    @Test
    void timeLeft_countsOnlyTheWorkOfThisRun() {
        assertThat(Ingest.fractionOfRun(0.9, 0.9)).isZero();
        assertThat(Ingest.fractionOfRun(0.75, 0.5)).isEqualTo(0.5);
        assertThat(Ingest.fractionOfRun(0.5, 0)).isEqualTo(0.5);
        assertThat(Ingest.fractionOfRun(1, 1)).isEqualTo(1);
    }
}
