package io.counterkit.benchmarks;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmark method "ours" of a class against another one of it, again and again. */
final class Contest {
    static final String HEADING = String.format(
            "%-16s %7s  %-5s  %-22s %-22s %-18s  %s",
            "million adds/s", "threads", "rival", "rival: median, range", "ours", "ours ÷ rival", "undisturbed; goal");

    /** The {@link CpuShare} of an undisturbed iteration. */
    private static final double ENOUGH = 0.9;

    private final Class<?> benchmark;
    private final String rival;
    private final int threads;
    private final double goal;
    private final List<Round> rounds = new ArrayList<>();

    /**
     * @param goal the least ratio that is asked for; 0 if none is
     */
    Contest(Class<?> benchmark, String rival, int threads, double goal) {
        this.benchmark = benchmark;
        this.rival = rival;
        this.threads = threads;
        this.goal = goal;
    }

    void run() throws RunnerException {
        rounds.add(new Round(measure(rival), measure("ours")));
    }

    private Score measure(String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include("^" + benchmark.getName() + "\\." + method + "$")
                        .mode(Mode.Throughput)
                        .timeUnit(TimeUnit.MICROSECONDS)
                        .threads(threads)
                        .forks(1)
                        .warmupIterations(3)
                        .warmupTime(TimeValue.milliseconds(300))
                        .measurementIterations(8)
                        .measurementTime(TimeValue.milliseconds(150))
                        .addProfiler(CpuShare.class)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle().getBenchmarkResults().stream()
                        .flatMap(fork -> fork.getIterationResults().stream())
                        .map(Score::of)
                        .max(Comparator.comparingDouble(Score::cpuShare))
                        .orElseThrow();
    }

    /** A line that stands below {@link #HEADING}; of the undisturbed rounds, if there are any. */
    @Override
    public String toString() {
        List<Round> undisturbed =
                rounds.stream().filter(round -> round.cpuShare() >= ENOUGH).toList();
        List<Round> counted = undisturbed.isEmpty() ? rounds : undisturbed;
        double[] ratios = each(counted, Round::ratio);
        String verdict = undisturbed.isEmpty() ? "not known" : median(ratios) >= goal ? "met" : "MISSED";
        return String.format(
                "%-16s %7d  %-5s  %-22s %-22s %-18s  %d of %d%s",
                benchmark.getSimpleName(),
                threads,
                rival,
                spread(each(counted, round -> round.rival().millions()), "%.0f"),
                spread(each(counted, round -> round.ours().millions()), "%.0f"),
                spread(ratios, "%.2f"),
                undisturbed.size(),
                rounds.size(),
                goal == 0 ? "" : String.format("; %.2f %s", goal, verdict));
    }

    private static double[] each(List<Round> rounds, ToDoubleFunction<Round> number) {
        return rounds.stream().mapToDouble(number).toArray();
    }

    private static String spread(double[] numbers, String form) {
        return String.format(
                form + " (" + form + ".." + form + ")",
                median(numbers),
                Arrays.stream(numbers).min().orElseThrow(),
                Arrays.stream(numbers).max().orElseThrow());
    }

    private static double median(double[] numbers) {
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /**
     * One iteration.
     *
     * @param millions of adds a second, of all threads together
     */
    private record Score(double millions, double cpuShare) {
        static Score of(IterationResult iteration) {
            Result<?> share = requireNonNull(iteration.getSecondaryResults().get(CpuShare.LABEL));
            return new Score(iteration.getPrimaryResult().getScore(), share.getScore());
        }
    }

    private record Round(Score rival, Score ours) {
        double ratio() {
            return ours.millions() / rival.millions();
        }

        double cpuShare() {
            return Math.min(rival.cpuShare(), ours.cpuShare());
        }
    }
}
