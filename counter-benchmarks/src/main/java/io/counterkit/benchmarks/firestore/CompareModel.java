package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Compares adds with the recipe of Firestore's documentation under a {@linkplain ServiceModel model} of the live
 * service: a round trip of 20 ms, and one commit a second to each document, which is the published limit. CounterKit
 * limits its writes to a shard to the same rate. Prints what the adds cost at the list prices of us-central1, or at
 * other prices for 100,000 reads, writes and deletes. Measures shard counts from 1 to 50, then 10,000 counters of
 * different popularity. Takes about seven minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareModel [roundTripMillis commitsPerSecond [chart.svg]] [prices=0.06,0.18,0.02]
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
    private final ServiceModel model;

    /** Creates counters through the plain client, which bypasses the model. */
    private CompareModel(Firestore plain, Firestore modelled, ServiceModel model, double commitsPerSecond) {
        this.plain = plain;
        this.modelled = modelled;
        this.model = model;
        this.commitsPerSecond = commitsPerSecond;
    }

    /** Runs both comparisons. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, Prices.ARGUMENT);
        long roundTrip = (long) arguments.numberAt(0, 20);
        double commitsPerSecond = arguments.numberAt(1, 1);
        String chart = arguments.at(2, "");
        Prices prices = Prices.of(arguments);
        System.out.printf(
                "model: round trip %d ms, %.0f commits a second to a document; %s%n",
                roundTrip, commitsPerSecond, prices);
        ServiceModel model = new ServiceModel(Duration.ofMillis(roundTrip), commitsPerSecond, prices);
        try (FirestoreEmulator emulator = FirestoreEmulator.start(
                EmulatorOptions.builder().heap("6g").jvmOptions().build())) {
            Firestore plain = emulator.connect("demo-benchmark");
            Firestore modelled = emulator.connect("demo-benchmark", UnaryOperator.identity(), model);
            CompareModel comparison = new CompareModel(plain, modelled, model, commitsPerSecond);
            List<Point> curve = comparison.compareShardCounts();
            comparison.compareManyCounters();
            if (!chart.isEmpty()) {
                ShardChart.write(Path.of(chart), curve);
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
            Outcome rival = measure(4 * shards, recipe::increment);
            String name = name();
            try (FirestoreCounterBackend backend = backend(shards);
                    Counters counters = open(backend)) {
                backend.create(name, shards).join();
                Outcome own = ours(counters, () -> name);
                print("one counter, " + shards + " shards", 4 * shards, rival, own);
                curve.add(new Point(shards, rival.load().rate(), own.load().rate()));
            }
        }
        return curve;
    }

    private void compareManyCounters() throws InterruptedException {
        Zipf zipf = new Zipf(MANY);
        String published = name();
        List<PublishedRecipe> unused = PublishedRecipe.createMany(plain, published, MANY, TEN);
        List<PublishedRecipe> recipes = PublishedRecipe.openMany(modelled, published, MANY, TEN);
        String run = name();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(plain))) {
            CompareAtScale.addToEach(counters, run, MANY);
        }
        for (int inFlight : RIVALS_IN_FLIGHT) {
            Outcome rival = measure(inFlight, () -> recipes.get(zipf.next()).increment());
            try (FirestoreCounterBackend backend = backend(TEN);
                    Counters counters = open(backend)) {
                Outcome own = ours(counters, () -> run + zipf.next());
                print("10,000 counters, zipf 1.0", inFlight, rival, own);
            }
        }
    }

    /** The result of a window, and what it cost. */
    private record Outcome(LoadResult load, Cost cost) {}

    private Outcome measure(int inFlight, Supplier<? extends CompletableFuture<?>> add) throws InterruptedException {
        Cost unused = model.takeCost(0);
        LoadResult load = ClosedLoop.run(inFlight, WINDOW, add);
        return new Outcome(load, model.takeCost(load.operations()));
    }

    private Outcome ours(Counters counters, Supplier<String> names) throws InterruptedException {
        Supplier<CompletableFuture<?>> add =
                () -> counters.counter(names.get()).async().add(1);
        ClosedLoop.run(IN_FLIGHT, WINDOW, add);
        return measure(IN_FLIGHT, add);
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
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
    }

    private static String name() {
        return "c-" + UUID.randomUUID();
    }

    private static void print(String what, int inFlight, Outcome rival, Outcome own) {
        System.out.printf(
                "%-26s recipe %6.0f/s at %d in flight, p50 %.0f ms; ours %8.0f/s, p50 %.0f ms, p99 %.0f ms; %5.1f times%n",
                what,
                rival.load().rate(),
                inFlight,
                rival.load().p50(),
                own.load().rate(),
                own.load().p50(),
                own.load().p99(),
                own.load().rate() / rival.load().rate());
        System.out.printf("%26s recipe %s%n%26s ours   %s%n", "", rival.cost(), "", own.cost());
    }
}
