package io.counterkit.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import io.counterkit.migration.VerificationReport;
import io.counterkit.migration.fixture.FaultyConnection;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.assertj.core.groups.Tuple;

/**
 * A move of one counter and one sequence, to which something happens once. Another process completes it while the
 * application continues.
 */
public final class CrashTrial {
    private final Move move;
    private final FaultyConnection connection;
    private final String counter;
    private final String sequence;
    private final Counters old;
    private final Counters migrating;
    private int rounds;

    private CrashTrial(Move move, FaultyConnection connection) {
        this.move = move;
        this.connection = connection;
        counter = move.prefix() + "likes";
        sequence = move.prefix() + "orders";
        old = Counters.over(move.source());
        migrating = Counters.over(move.migrating(100));
    }

    /** Runs a trial for each call of a job, and checks that there are at least so many calls. */
    public static void runAll(Fate fate, String side, int leastCalls, Supplier<Move> moves) throws Exception {
        int at = 0;
        boolean isHit;
        do {
            FaultyConnection connection = new FaultyConnection(fate, side, ++at, () -> {});
            try (Move move = moves.get()) {
                new CrashTrial(move, connection).run();
            }
            isHit = connection.hasHit();
        } while (isHit);
        assertThat(at - 1).as("calls of a job").isGreaterThanOrEqualTo(leastCalls);
    }

    /** Uses the names, moves them, and checks that nothing was lost or repeated. */
    private void run() throws Exception {
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

    /** Changes the names by a process that knows only the source until a seal refuses a change. */
    private void use() {
        rounds++;
        change(at -> {
            at.counter(counter).add(rounds);
            return rounds;
        });
        long number = change(
                at -> at.sequence(sequence).append(Map.of("n", (long) rounds)).number());
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
