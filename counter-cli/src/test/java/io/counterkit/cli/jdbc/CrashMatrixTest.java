package io.counterkit.cli.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import io.counterkit.cli.jdbc.Move.Place;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The batch job, to which something happens at each of its store calls in turn. Another process completes the move while the
 * application continues.
 */
@Tag("exhaustive")
class CrashMatrixTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "KILLED_AFTER, '', 15, INMEMORY, SQLITE",
        "REPLY_LOST, source, 8, SQLITE, INMEMORY",
        "REPLY_LOST, target, 8, INMEMORY, SQLITE",
        "NOT_APPLIED, source, 8, SQLITE, INMEMORY",
        "KILLED_AFTER, '', 15, SQLITE, INMEMORY"
    })
    void faultInAnyCall_losesAndRepeatsNothing(Fate fate, String side, int leastCalls, Place from, Place to)
            throws Exception {
        int at = 0;
        boolean isHit;
        do {
            FaultyConnection connection = new FaultyConnection(fate, side, ++at, () -> {});
            try (Move move = new Move(from, to, directory)) {
                new Trial(move, connection).run();
            }
            isHit = connection.hasHit();
        } while (isHit);
        assertThat(at - 1).as("calls of a job").isGreaterThanOrEqualTo(leastCalls);
    }

    /** One counter and one sequence. */
    private static final class Trial {
        private final Move move;
        private final FaultyConnection connection;
        private final String counter;
        private final String sequence;
        private final Counters old;
        private final Counters migrating;
        private int rounds;

        Trial(Move move, FaultyConnection connection) {
            this.move = move;
            this.connection = connection;
            counter = move.prefix + "likes";
            sequence = move.prefix + "orders";
            old = Counters.over(move.source());
            migrating = Counters.over(move.migrating(100));
        }

        void run() throws Exception {
            for (int i = 0; i < 3; i++) {
                use();
            }
            connection
                    .run(() -> move.run(move.migrating(100, connection)))
                    .ifPresent(report -> assertThat(report.failures()).isEmpty());
            use();
            assertThat(move.run(move.migrating(100)).failures()).isEmpty();
            use();
            assertExact();
        }

        /** By a process that has the source alone in its configuration until it meets a seal. */
        private void use() {
            rounds++;
            change(at -> {
                at.counter(counter).add(rounds);
                return rounds;
            });
            long number = change(at ->
                    at.sequence(sequence).append(Map.of("n", (long) rounds)).number());
            assertThat(number).as(sequence).isEqualTo(rounds);
        }

        private long change(Function<Counters, Number> change) {
            try {
                return change.apply(old).longValue();
            } catch (SealedException e) {
                return change.apply(migrating).longValue();
            }
        }

        private void assertExact() throws InterruptedException {
            Counters target = Counters.over(move.target());
            assertThat(target.counter(counter).get()).isEqualTo(rounds * (rounds + 1L) / 2);
            assertThat(target.sequence(sequence).tail().last()).isEqualTo(rounds);
            assertThat(target.sequence(sequence).read(1, rounds))
                    .extracting(Entry::number, entry -> entry.fields().get("n"))
                    .isEqualTo(LongStream.rangeClosed(1, rounds)
                            .mapToObj(n -> Tuple.tuple(n, n))
                            .toList());
            VerificationReport verified = move.verify();
            assertThat(verified.differences()).isEmpty();
            assertThat(verified.counters() + verified.sequences()).isEqualTo(2);
        }
    }
}
