package io.counterkit.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The work of a JVM of {@link TwoProcessesTest}: rounds of concurrent adds and appends. The token of each change is
 * derived from the worker and the change, so that a repetition sends the same tokens.
 */
final class ProcessWork {
    static final int COUNTERS = 3;
    static final int ROUNDS = 40;
    static final int APPENDS = 4;

    /** The rounds before it waits for a byte, so that it still runs when the other processes are slow. */
    static final int ROUNDS_ALONE = ROUNDS - 5;

    private static final int ADDS = 12;

    private ProcessWork() {}

    public static void main(String[] arguments) throws Exception {
        String run = arguments[2];
        String who = arguments[3];
        Firestore firestore = FirestoreEmulator.at(arguments[0]).connect(arguments[1]);
        // Several processes start at once beside an emulator, so the first calls take long.
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(firestore), patient)) {
            for (int round = 0; round < ROUNDS; round++) {
                if (round == ROUNDS_ALONE && System.in.read() < 0) {
                    throw new IllegalStateException("the test has ended");
                }
                List<CompletableFuture<?>> changes = new ArrayList<>();
                for (int i = 0; i < ADDS; i++) {
                    changes.add(counters.counter(counter(run, i % COUNTERS))
                            .async()
                            .add(delta(round, i), token(run, who, "add", round, i)));
                }
                for (int i = 0; i < APPENDS; i++) {
                    changes.add(counters.sequence(run)
                            .async()
                            .append(Map.of("work", workOf(who, round, i)), token(run, who, "append", round, i)));
                }
                CompletableFuture.allOf(changes.toArray(CompletableFuture[]::new))
                        .join();
                System.out.println("round " + round);
            }
        } finally {
            firestore.close();
        }
    }

    static String counter(String run, int number) {
        return run + "/" + number;
    }

    static String workOf(String who, int round, int i) {
        return who + " " + round + "." + i;
    }

    /** Returns the sum of a process's adds to a counter. */
    static long totalOf(int counter) {
        long total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = counter; i < ADDS; i += COUNTERS) {
                total += delta(round, i);
            }
        }
        return total;
    }

    /** Returns a delta, distinct for each change, so that two errors do not cancel out. */
    private static long delta(int round, int i) {
        return 1 + round * 1000L + i;
    }

    private static IdempotencyToken token(String run, String who, String what, int round, int i) {
        return IdempotencyToken.of(run + " " + who + " " + what + " " + round + "." + i);
    }
}
