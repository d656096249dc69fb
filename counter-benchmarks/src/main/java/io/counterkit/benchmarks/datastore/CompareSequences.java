package io.counterkit.benchmarks.datastore;

import com.google.cloud.datastore.Datastore;
import io.counterkit.benchmarks.Statistics;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Appends to one sequence with the article's algorithm, a counter entity, and CounterKit, in turns, with 1, 8 and 32
 * threads. {@code CompareSequences fresh|stale|HOST:PORT|google:HOST:PORT [rounds] [seconds]}: on the local Datastore
 * with a latency model, with fresh or with always stale queries, or on an emulator, whose calls are requests over HTTP;
 * all of them with App Engine's API, or all with Google's client.
 */
public final class CompareSequences {
    private static final int[] THREADS = {1, 8, 32};
    private static final String ARTICLE = "article";
    private static final String COUNTER_ENTITY = "counter entity";
    private static final String COUNTER_KIT = "CounterKit";
    private static final String GOOGLE = "google:";

    /** Held, since a logger without references forgets its level. */
    private static final Logger API = Logger.getLogger("com.google.appengine");

    private final String target;
    private final @Nullable EmulatorTarget emulator;
    private final @Nullable GoogleClient google;
    private final int rounds;
    private final Duration time;

    private CompareSequences(String target, int rounds, Duration time) {
        this.target = target;
        String address = target.replaceFirst("^" + GOOGLE, "");
        this.google = target.startsWith(GOOGLE) ? GoogleClient.connect(address) : null;
        this.emulator = !address.contains(":")
                ? null
                : google == null ? EmulatorTarget.connect(address) : EmulatorTarget.counting();
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
        System.exit(0); // ends the API's threads too
    }

    private void run() throws Exception {
        Map<String, Function<String, Appender>> algorithms = algorithms();
        System.out.printf("%s, %d rounds of %d s: median (range)%n", target, rounds, time.toSeconds());
        for (int threads : THREADS) {
            Map<String, List<AppendRate>> rates = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                for (Map.Entry<String, Function<String, Appender>> algorithm : algorithms.entrySet()) {
                    rates.computeIfAbsent(algorithm.getKey(), key -> new ArrayList<>())
                            .add(measure(threads, algorithm.getValue()));
                }
            }
            double article = perSecond(rates.getOrDefault(ARTICLE, List.of())).median();
            rates.forEach((algorithm, of) -> System.out.printf(
                    "%2d threads  %-14s %s appends/s  %s calls  %s retries each; %.1f x the article's%n",
                    threads,
                    algorithm,
                    perSecond(of).format("%.1f"),
                    Statistics.of(of, AppendRate::calls).format("%.2f"),
                    Statistics.of(of, AppendRate::retries).format("%.2f"),
                    perSecond(of).median() / article));
        }
    }

    private Map<String, Function<String, Appender>> algorithms() {
        Map<String, Function<String, Appender>> algorithms = new LinkedHashMap<>();
        GoogleClient client = google;
        if (client == null) {
            algorithms.put(ARTICLE, name -> new ArticleAppender("A" + name, new LongAdder()));
            algorithms.put(COUNTER_ENTITY, name -> new CounterEntityAppender("B" + name, new LongAdder()));
            algorithms.put(
                    COUNTER_KIT,
                    name -> CounterKitAppender.create(
                            DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults()), name));
        } else {
            Datastore datastore = client.datastore();
            algorithms.put(ARTICLE, name -> new GoogleClient.Article(datastore, "A" + name, new LongAdder()));
            algorithms.put(
                    COUNTER_ENTITY, name -> new GoogleClient.CounterEntity(datastore, "B" + name, new LongAdder()));
            algorithms.put(COUNTER_KIT, name -> CounterKitAppender.create(client.backend(), name));
        }
        return algorithms;
    }

    private static Statistics perSecond(List<AppendRate> rates) {
        return Statistics.of(rates, AppendRate::perSecond);
    }

    private AppendRate measure(int threads, Function<String, Appender> algorithm) throws Exception {
        String name = UUID.randomUUID().toString().replace("-", "");
        if (emulator != null) {
            return AppendRate.measure(threads, time, algorithm.apply(name), emulator.requests(), () -> {});
        }
        try (StubDatastore store = StubDatastore.open(LatencyModel.ARTICLE_MILLIS, target.equals("stale") ? 100 : 0)) {
            return AppendRate.measure(
                    threads, time, algorithm.apply(name), store.calls().count(), store::enterThread);
        }
    }
}
