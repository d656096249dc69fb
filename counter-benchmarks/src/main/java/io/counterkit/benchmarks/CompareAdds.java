package io.counterkit.benchmarks;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Compares adds through the API with adds to a bare {@link java.util.concurrent.atomic.AtomicLong} and prints the
 * ratios of their throughputs. Each round runs every method in a new JVM, one directly after the other. The score of a
 * method is that of its iteration with the largest {@link CpuShare}, so that other processes have little influence.
 * Takes about three minutes, or some seven seconds for each line and round of the lines whose name, such as {@code
 * counter 2}, has a match of {@code only}:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.CompareAdds [rounds [only=regex]]
 * }</pre>
 */
public final class CompareAdds {
    private static final int ROUNDS = 5;
    private static final String ONLY = "only";

    private CompareAdds() {}

    /** Runs all comparisons. */
    public static void main(String[] args) throws RunnerException {
        Arguments arguments = Arguments.of(args, ONLY);
        int rounds = (int) arguments.numberAt(0, ROUNDS);
        Pattern only = Pattern.compile(arguments.named(ONLY, ""));
        List<JmhComparison> comparisons = Stream.of(
                        new JmhComparison("counter", "atomicLong", 1),
                        new JmhComparison("counter", "atomicLong", 2),
                        new JmhComparison("counters", "atomicLongArray", 1),
                        new JmhComparison("counters", "concurrentHashMap", 1),
                        new JmhComparison("counters", "atomicLongArray", 2),
                        new JmhComparison("counters", "concurrentHashMap", 2))
                .filter(comparison -> comparison.isNamedLike(only))
                .toList();
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("round %d of %d%n", round, rounds);
            for (JmhComparison comparison : comparisons) {
                comparison.run();
            }
        }
        System.out.println(JmhComparison.HEADING);
        comparisons.forEach(System.out::println);
        comparisons.stream().map(JmhComparison::ratioLine).forEach(System.out::println);
    }
}
