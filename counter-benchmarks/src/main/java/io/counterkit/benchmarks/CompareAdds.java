package io.counterkit.benchmarks;

import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Compares adds through the API with adds to a bare {@link java.util.concurrent.atomic.AtomicLong} and prints the ratios
 * of their throughputs. Each round runs every method in a new JVM, one directly after the other. The score of a method is
 * that of its iteration with the largest {@link CpuShare}, so that other processes disturb little. Takes about three
 * minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.CompareAdds [rounds]
 * }</pre>
 */
public final class CompareAdds {
    private static final int ROUNDS = 5;

    private CompareAdds() {}

    /** Runs all comparisons. */
    public static void main(String[] args) throws RunnerException {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        List<JmhComparison> comparisons = List.of(
                new JmhComparison("counter", "atomicLong", 1),
                new JmhComparison("counter", "atomicLong", 2),
                new JmhComparison("counters", "atomicLongArray", 1),
                new JmhComparison("counters", "concurrentHashMap", 1),
                new JmhComparison("counters", "atomicLongArray", 2),
                new JmhComparison("counters", "concurrentHashMap", 2));
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("round %d of %d%n", round, rounds);
            for (JmhComparison comparison : comparisons) {
                comparison.run();
            }
        }
        System.out.println(JmhComparison.HEADING);
        comparisons.forEach(System.out::println);
    }
}
