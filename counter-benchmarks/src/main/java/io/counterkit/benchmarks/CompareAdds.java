package io.counterkit.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Compares adds through the API with adds to a bare {@link java.util.concurrent.atomic.AtomicLong} and prints the ratios
 * of their throughputs. Each round runs every contestant in a new JVM, one right after the other, and gives one ratio of
 * each kind, so that a machine which is busy for a while disturbs both sides alike. Takes about four minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.CompareAdds [rounds]
 * }</pre>
 */
public final class CompareAdds {
    private static final int ROUNDS = 5;

    private static final List<Contest> CONTESTS = List.of(
            new Contest(OneCounter.class, 1, new Goal("raw", 0.25)),
            new Contest(OneCounter.class, 2, new Goal("raw", 0.5)),
            new Contest(ThousandCounters.class, 1, new Goal("raw", 0.25), new Goal("map", 0)),
            new Contest(ThousandCounters.class, 2, new Goal("raw", 0), new Goal("map", 0)));

    private CompareAdds() {}

    /** Runs all contests. */
    public static void main(String[] args) throws RunnerException {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        for (int round = 1; round <= rounds; round++) {
            System.err.printf("round %d of %d%n", round, rounds);
            for (Contest contest : CONTESTS) {
                contest.run();
            }
        }
        System.out.printf(
                "%-16s %7s  %-4s %28s %28s   %s%n",
                "", "threads", "than", "its million adds/s", "ours", "ours ÷ its: median (min..max)");
        CONTESTS.forEach(Contest::print);
    }

    /**
     * What ours is compared with.
     *
     * @param than its benchmark method
     * @param ratio the least ratio that is asked for; 0 if none is
     */
    private record Goal(String than, double ratio) {}

    /** Some contestants under equal conditions. */
    private static final class Contest {
        private final Class<?> benchmark;
        private final int threads;
        private final List<Goal> goals;
        private final List<double[]> theirs = new ArrayList<>();
        private final List<Double> ours = new ArrayList<>();

        Contest(Class<?> benchmark, int threads, Goal... goals) {
            this.benchmark = benchmark;
            this.threads = threads;
            this.goals = List.of(goals);
        }

        void run() throws RunnerException {
            double[] scores = new double[goals.size()];
            for (int i = 0; i < scores.length; i++) {
                scores[i] = score(goals.get(i).than());
            }
            theirs.add(scores);
            ours.add(score("ours"));
        }

        /** Million adds a second of all threads together. */
        private double score(String method) throws RunnerException {
            return new Runner(new OptionsBuilder()
                            .include("^" + benchmark.getName() + "\\." + method + "$")
                            .mode(Mode.Throughput)
                            .timeUnit(TimeUnit.MICROSECONDS)
                            .threads(threads)
                            .forks(1)
                            .warmupIterations(3)
                            .warmupTime(TimeValue.milliseconds(500))
                            .measurementIterations(4)
                            .measurementTime(TimeValue.milliseconds(500))
                            .verbosity(VerboseMode.SILENT)
                            .build())
                    .runSingle()
                    .getPrimaryResult()
                    .getScore();
        }

        void print() {
            for (int i = 0; i < goals.size(); i++) {
                Goal goal = goals.get(i);
                int column = i;
                double[] its =
                        theirs.stream().mapToDouble(scores -> scores[column]).toArray();
                double[] our = ours.stream().mapToDouble(score -> score).toArray();
                double[] ratios = new double[our.length];
                Arrays.setAll(ratios, round -> our[round] / its[round]);
                System.out.printf(
                        "%-16s %7d  %-4s %28s %28s   %s%s%n",
                        benchmark.getSimpleName(),
                        threads,
                        goal.than(),
                        spread(its, "%.1f"),
                        spread(our, "%.1f"),
                        spread(ratios, "%.2f"),
                        verdict(goal, ratios));
            }
        }

        private static String verdict(Goal goal, double[] ratios) {
            if (goal.ratio() == 0) {
                return "";
            }
            return String.format(", goal %.2f %s", goal.ratio(), median(ratios) >= goal.ratio() ? "met" : "MISSED");
        }

        private static String spread(double[] values, String form) {
            return String.format(
                    form + " (" + form + ".." + form + ")",
                    median(values),
                    Arrays.stream(values).min().orElseThrow(),
                    Arrays.stream(values).max().orElseThrow());
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
    }
}
