package io.counterkit.benchmarks;

import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Compares adds through the API with adds to a bare {@link java.util.concurrent.atomic.AtomicLong} and prints the ratios
 * of their throughputs. Each round runs every contestant in a new JVM, one right after the other, and gives one ratio of
 * each kind; a contestant's score is that of its iteration which had the largest {@link CpuShare}, so that what else
 * runs on the machine disturbs little. Takes about three minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.CompareAdds [rounds]
 * }</pre>
 */
public final class CompareAdds {
    private static final int ROUNDS = 5;

    private CompareAdds() {}

    /** Runs all contests. */
    public static void main(String[] args) throws RunnerException {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        List<Contest> contests = List.of(
                new Contest(OneCounter.class, "raw", 1, 0.25),
                new Contest(OneCounter.class, "raw", 2, 0.5),
                new Contest(ThousandCounters.class, "raw", 1, 0.25),
                new Contest(ThousandCounters.class, "map", 1, 0),
                new Contest(ThousandCounters.class, "raw", 2, 0),
                new Contest(ThousandCounters.class, "map", 2, 0));
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("round %d of %d%n", round, rounds);
            for (Contest contest : contests) {
                contest.run();
            }
        }
        System.out.println(Contest.HEADING);
        contests.forEach(System.out::println);
    }
}
