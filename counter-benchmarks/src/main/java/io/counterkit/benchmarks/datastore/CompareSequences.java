package io.counterkit.benchmarks.datastore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Appends to one sequence: the article's algorithm, a counter entity, and this library, in turns, with 1, 8 and 32
 * threads. {@code CompareSequences fresh|stale|HOST:PORT [rounds] [seconds]}: on the local Datastore with a latency
 * model, with fresh or with always stale queries, or on an emulator, whose calls are requests over HTTP.
 */
public final class CompareSequences {
    private static final int[] THREADS = {1, 8, 32};

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger API = Logger.getLogger("com.google.appengine");

    private final String target;
    private final @Nullable EmulatorTarget emulator;
    private final int rounds;
    private final Duration time;

    private CompareSequences(String target, int rounds, Duration time) {
        this.target = target;
        this.emulator = target.contains(":") ? EmulatorTarget.connect(target) : null;
        this.rounds = rounds;
        this.time = time;
    }

    /** Measures and prints a table. */
    public static void main(String[] args) throws Exception {
        API.setLevel(Level.WARNING);
        CompareSequences comparison = new CompareSequences(
                args.length > 0 ? args[0] : "fresh",
                args.length > 1 ? Integer.parseInt(args[1]) : 3,
                Duration.ofSeconds(args.length > 2 ? Integer.parseInt(args[2]) : 4));
        comparison.run();
        System.exit(0); // the API's own threads would go on
    }

    private void run() throws Exception {
        Map<String, Function<String, Appender>> ways = new LinkedHashMap<>();
        ways.put("article", name -> new ArticleAppender("A" + name, new LongAdder()));
        ways.put("counter entity", name -> new CounterEntityAppender("B" + name, new LongAdder()));
        ways.put("CounterKit", KitAppender::create);
        System.out.printf("%s, %d rounds of %d s: median (range)%n", target, rounds, time.toSeconds());
        for (int threads : THREADS) {
            Map<String, List<Window>> windows = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<String, Function<String, Appender>> way : ways.entrySet()) {
                    windows.computeIfAbsent(way.getKey(), key -> new ArrayList<>())
                            .add(window(threads, way.getValue()));
                }
            }
            double article = median(windows.getOrDefault("article", List.of()), Window::rate);
            windows.forEach((way, of) -> {
                double ratio = median(of, Window::rate) / article;
                System.out.printf(
                        "%2d threads  %-14s %s appends/s  %s calls  %s retries each; %.1f x the article's%s%n",
                        threads,
                        way,
                        figure(of, Window::rate, "%.1f"),
                        figure(of, Window::calls, "%.2f"),
                        figure(of, Window::retries, "%.2f"),
                        ratio,
                        way.equals("CounterKit") ? verdict(threads, ratio) : "");
            });
        }
    }

    private String verdict(int threads, double ratio) {
        double goal = threads == 1 ? 1 : threads == 8 && emulator == null ? 3 : 10;
        return String.format(" (goal %.0f: %s)", goal, ratio >= goal ? "met" : "MISSED");
    }

    private Window window(int threads, Function<String, Appender> way) throws Exception {
        String name = UUID.randomUUID().toString().replace("-", "");
        if (emulator != null) {
            return Window.run(threads, time, way.apply(name), emulator.requests(), () -> {});
        }
        try (LocalDatastore store = LocalDatastore.open(SlowDelegate.MODEL, target.equals("stale") ? 100 : 0)) {
            return Window.run(threads, time, way.apply(name), store.delegate().calls(), store::enterThread);
        }
    }

    private static String figure(List<Window> windows, ToDoubleFunction<Window> of, String format) {
        double[] sorted = windows.stream().mapToDouble(of).sorted().toArray();
        return String.format(
                format + " (" + format + "–" + format + ")", median(windows, of), sorted[0], sorted[sorted.length - 1]);
    }

    private static double median(List<Window> windows, ToDoubleFunction<Window> of) {
        double[] sorted = windows.stream().mapToDouble(of).sorted().toArray();
        return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElse(0);
    }
}
