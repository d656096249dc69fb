package io.counterkit.benchmarks.firestore;

import io.counterkit.benchmarks.Statistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Compares a load on CounterKit with the same load on a rival, if there is one, in windows that take turns. */
final class LoadComparison {
    static final String HEADING = String.format(
                    "%-34s | %26s | %26s | %s", "", "published recipe", "CounterKit", "ratio of rates, of p50")
            + String.format(
                    "%n%-34s | %8s %8s %8s | %8s %8s %8s |", "", "1/s", "p50 ms", "p99 ms", "1/s", "p50 ms", "p99 ms");

    private final String name;
    private final int inFlight;
    private final @Nullable Supplier<CompletableFuture<?>> rival;
    private final Supplier<CompletableFuture<?>> ours;
    private final List<LoadResult> rivalResults = new ArrayList<>();
    private final List<LoadResult> ourResults = new ArrayList<>();

    LoadComparison(
            String name,
            int inFlight,
            @Nullable Supplier<CompletableFuture<?>> rival,
            Supplier<CompletableFuture<?>> ours) {
        this.name = name;
        this.inFlight = inFlight;
        this.rival = rival;
        this.ours = ours;
    }

    /** Runs one window of each; one that is not recorded is a warm-up. */
    void run(Duration window, boolean isRecorded) throws InterruptedException {
        LoadResult rivalResult = rival == null ? null : ClosedLoop.run(inFlight, window, rival);
        LoadResult ourResult = ClosedLoop.run(inFlight, window, ours);
        if (isRecorded) {
            ourResults.add(ourResult);
            if (rivalResult != null) {
                rivalResults.add(rivalResult);
            }
        }
    }

    /** Ours by the rival's, of one round, since disturbances last longer than a window. */
    private record Ratio(double rate, double p50) {}

    private List<Ratio> ratios() {
        return IntStream.range(0, rivalResults.size())
                .mapToObj(i -> new Ratio(
                        ourResults.get(i).rate() / rivalResults.get(i).rate(),
                        ourResults.get(i).p50() / rivalResults.get(i).p50()))
                .toList();
    }

    boolean hasRival() {
        return rival != null;
    }

    /** Returns a sentence with the ratio of the rates. */
    String ratioLine() {
        return String.format(
                "ratio: %s, %s times the recipe's rate",
                name, Statistics.of(ratios(), Ratio::rate).format("%.2f"));
    }

    boolean isNamedLike(Pattern pattern) {
        return pattern.matcher(name).find();
    }

    /** Returns a line below {@link #HEADING}. */
    @Override
    public String toString() {
        List<Ratio> ratios = ratios();
        return String.format(
                "%-34s | %26s | %26s | %s",
                name,
                medians(rivalResults),
                medians(ourResults),
                ratios.isEmpty()
                        ? ""
                        : Statistics.of(ratios, Ratio::rate).format("%.2f") + ", "
                                + Statistics.of(ratios, Ratio::p50).format("%.2f"));
    }

    private static String medians(List<LoadResult> results) {
        return results.isEmpty()
                ? ""
                : String.format(
                        "%8.0f %8.2f %8.2f",
                        Statistics.of(results, LoadResult::rate).median(),
                        Statistics.of(results, LoadResult::p50).median(),
                        Statistics.of(results, LoadResult::p99).median());
    }
}
