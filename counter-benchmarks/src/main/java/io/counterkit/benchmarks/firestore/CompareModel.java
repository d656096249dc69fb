package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Compares adds with the recipe of Firestore's documentation under a {@linkplain ServiceModel model} of the live service:
 * a round trip of 20 ms, and one commit a second to each document, which is the published limit. CounterKit limits its
 * writes to a shard to the same rate. Measures shard counts from 1 to 50, then 10,000 counters of different popularity.
 * Takes about seven minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareModel [roundTripMillis commitsPerSecond [chart.svg]]
 * }</pre>
 */
public final class CompareModel {
    private static final int[] SHARDS = {1, 2, 5, 10, 20, 50};
    private static final int MANY = 10_000;
    private static final int TEN = 10;
    private static final int IN_FLIGHT = 1_000;
    private static final int[] RIVALS_IN_FLIGHT = {16, 64, 256};
    private static final Duration WINDOW = Duration.ofSeconds(5);

    private final Firestore plain;
    private final Firestore modelled;
    private final double commitsPerSecond;
    private final BilledWrites bill = new BilledWrites();

    /** Creates counters through the plain client, which bypasses the model. */
    private CompareModel(Firestore plain, Firestore modelled, double commitsPerSecond) {
        this.plain = plain;
        this.modelled = modelled;
        this.commitsPerSecond = commitsPerSecond;
    }

    /** Runs both comparisons. */
    public static void main(String[] args) throws Exception {
        long roundTrip = args.length < 2 ? 20 : Long.parseLong(args[0]);
        double commitsPerSecond = args.length < 2 ? 1 : Double.parseDouble(args[1]);
        System.out.printf(
                "model: round trip %d ms, %.0f commits a second to a document%n", roundTrip, commitsPerSecond);
        ServiceModel model = new ServiceModel(Duration.ofMillis(roundTrip), commitsPerSecond);
        try (FirestoreEmulator emulator =
                FirestoreEmulator.start(EmulatorOptions.builder().heap("6g").build())) {
            Firestore plain = emulator.connect("demo-benchmark");
            Firestore modelled = emulator.connect("demo-benchmark", UnaryOperator.identity(), model);
            CompareModel comparison = new CompareModel(plain, modelled, commitsPerSecond);
            List<Point> curve = comparison.compareShardCounts();
            comparison.compareManyCounters();
            if (args.length > 2) {
                ShardChart.write(Path.of(args[2]), curve);
            }
            plain.shutdown();
            modelled.shutdown();
        }
    }

    /** Adds a second with one shard count. */
    record Point(int shards, double recipe, double ours) {}

    private List<Point> compareShardCounts() throws InterruptedException {
        List<Point> curve = new ArrayList<>();
        for (int shards : SHARDS) {
            PublishedRecipe recipe = PublishedRecipe.create(modelled, name(), shards);
            // Keeps every shard busy; more would only wait longer.
            LoadResult rival = ClosedLoop.run(4 * shards, WINDOW, recipe::increment);
            String name = name();
            try (FirestoreCounterBackend backend = backend(shards);
                    Counters counters = open(backend)) {
                backend.create(name, shards).join();
                LoadResult own = ours(counters, () -> name);
                print("one counter, " + shards + " shards", 4 * shards, rival, own);
                curve.add(new Point(shards, rival.rate(), own.rate()));
            }
        }
        return curve;
    }

    private void compareManyCounters() throws InterruptedException {
        Zipf zipf = new Zipf(MANY);
        List<PublishedRecipe> recipes = PublishedRecipe.createMany(plain, name(), MANY, TEN).stream()
                .map(recipe -> recipe.through(modelled))
                .toList();
        String run = name();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(plain))) {
            CompareAtScale.addToEach(counters, run, MANY);
        }
        for (int inFlight : RIVALS_IN_FLIGHT) {
            LoadResult rival = ClosedLoop.run(
                    inFlight, WINDOW, () -> recipes.get(zipf.next()).increment());
            try (FirestoreCounterBackend backend = backend(TEN);
                    Counters counters = open(backend)) {
                LoadResult own = ours(counters, () -> run + zipf.next());
                print("10,000 counters, zipf 1.0", inFlight, rival, own);
            }
        }
    }

    private LoadResult ours(Counters counters, Supplier<String> names) throws InterruptedException {
        ClosedLoop.run(
                IN_FLIGHT, WINDOW, () -> counters.counter(names.get()).async().add(1));
        bill.clear();
        return ClosedLoop.run(
                IN_FLIGHT, WINDOW, () -> counters.counter(names.get()).async().add(1));
    }

    private FirestoreCounterBackend backend(int shards) {
        return FirestoreCounterBackend.create(
                modelled,
                FirestoreCounterOptions.builder()
                        .shards(shards)
                        .writesPerShard(commitsPerSecond, 1)
                        .build());
    }

    private Counters open(FirestoreCounterBackend backend) {
        return Counters.over(
                backend,
                CountersOptions.builder()
                        .listener(bill)
                        .deadline(Duration.ofMinutes(1))
                        .build());
    }

    private static String name() {
        return "c-" + UUID.randomUUID();
    }

    private void print(String what, int inFlight, LoadResult rival, LoadResult own) {
        System.out.printf(
                "%-26s recipe %6.0f/s at %d in flight, p50 %.0f ms; ours %8.0f/s, p50 %.0f ms, p99 %.0f ms; %5.1f times; %s%n",
                what,
                rival.rate(),
                inFlight,
                rival.p50(),
                own.rate(),
                own.p50(),
                own.p99(),
                own.rate() / rival.rate(),
                bill);
    }
}
