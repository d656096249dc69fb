package io.counterkit.benchmarks.firestore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One workload of ours, against a rival if there is one, in windows that take turns. */
final class Duel {
    static final String HEADING = String.format(
                    "%-34s | %26s | %26s | %s", "", "published recipe", "CounterKit", "ratio of rates, of p50")
            + String.format(
                    "%n%-34s | %8s %8s %8s | %8s %8s %8s |", "", "1/s", "p50 ms", "p99 ms", "1/s", "p50 ms", "p99 ms");

    private final String name;
    private final int inFlight;
    private final @Nullable Supplier<CompletableFuture<?>> rival;
    private final Supplier<CompletableFuture<?>> ours;
    private final List<Sample> rivals = new ArrayList<>();
    private final List<Sample> own = new ArrayList<>();

    Duel(
            String name,
            int inFlight,
            @Nullable Supplier<CompletableFuture<?>> rival,
            Supplier<CompletableFuture<?>> ours) {
        this.name = name;
        this.inFlight = inFlight;
        this.rival = rival;
        this.ours = ours;
    }

    /** One window of each; what is not recorded warms up. */
    void round(Duration window, boolean isRecorded) throws InterruptedException {
        Sample first = rival == null ? null : ClosedLoop.run(inFlight, window, rival);
        Sample second = ClosedLoop.run(inFlight, window, ours);
        if (isRecorded) {
            own.add(second);
            if (first != null) {
                rivals.add(first);
            }
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%-34s | %26s | %26s | %s", name, figures(rivals), figures(own), rivals.isEmpty() ? "" : ratios());
    }

    private static String figures(List<Sample> samples) {
        return samples.isEmpty()
                ? ""
                : String.format(
                        "%8.0f %8.2f %8.2f",
                        Sample.median(samples, Sample::rate),
                        Sample.median(samples, Sample::p50),
                        Sample.median(samples, Sample::p99));
    }

    /** The ratio of each round, since what disturbs one window disturbs the next one too; the median and the range. */
    private String ratios() {
        List<Sample> ratios = new ArrayList<>();
        for (int i = 0; i < own.size(); i++) {
            ratios.add(new Sample(
                    own.get(i).rate() / rivals.get(i).rate(),
                    own.get(i).p50() / rivals.get(i).p50(),
                    own.get(i).p99() / rivals.get(i).p99()));
        }
        return String.format(
                "%.2f (%.2f..%.2f), %.2f (%.2f..%.2f)",
                Sample.median(ratios, Sample::rate),
                ratios.stream().mapToDouble(Sample::rate).min().orElseThrow(),
                ratios.stream().mapToDouble(Sample::rate).max().orElseThrow(),
                Sample.median(ratios, Sample::p50),
                ratios.stream().mapToDouble(Sample::p50).min().orElseThrow(),
                ratios.stream().mapToDouble(Sample::p50).max().orElseThrow());
    }
}
