package io.counterkit.benchmarks;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Compares a method of {@link AddBenchmarks} with that of a rival, in several rounds. */
final class JmhComparison {
    static final String HEADING = String.format(
            "%-10s %7s  %-18s %-22s %-22s %-18s  %s",
            "million/s", "threads", "rival", "rival: median, range", "ours", "ours ÷ rival", "undisturbed");

    /** The least {@link CpuShare} of an undisturbed iteration. */
    private static final double UNDISTURBED = 0.9;

    private final String ours;
    private final String rival;
    private final int threads;
    private final List<Round> rounds = new ArrayList<>();

    JmhComparison(String ours, String rival, int threads) {
        this.ours = ours;
        this.rival = rival;
        this.threads = threads;
    }

    void run() throws RunnerException {
        rounds.add(new Round(measure(rival), measure(ours)));
    }

    private Score measure(String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include("^" + AddBenchmarks.class.getName() + "\\." + method + "$")
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

    /** Returns whether the method and the number of threads, such as {@code counter 2}, have a match. */
    boolean isNamedLike(Pattern pattern) {
        return pattern.matcher(ours + " " + threads).find();
    }

    private List<Round> undisturbed() {
        return rounds.stream().filter(round -> round.cpuShare() >= UNDISTURBED).toList();
    }

    private List<Round> shown() {
        return undisturbed().isEmpty() ? rounds : undisturbed();
    }

    /** Returns a sentence with the ratio of the rates. */
    String ratioLine() {
        return String.format(
                "ratio: %s, %d threads, %s of the rate of %s",
                ours, threads, Statistics.of(shown(), Round::ratio).format("%.2f"), rival);
    }

    /** Returns a line below {@link #HEADING}, of the undisturbed rounds if there are any. */
    @Override
    public String toString() {
        List<Round> undisturbed = undisturbed();
        List<Round> shown = shown();
        return String.format(
                "%-10s %7d  %-18s %-22s %-22s %-18s  %d of %d",
                ours,
                threads,
                rival,
                Statistics.of(shown, round -> round.rival().millions()).format("%.0f"),
                Statistics.of(shown, round -> round.ours().millions()).format("%.0f"),
                Statistics.of(shown, Round::ratio).format("%.2f"),
                undisturbed.size(),
                rounds.size());
    }

    /**
     * One iteration.
     *
     * @param millions million adds a second, of all threads together
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
