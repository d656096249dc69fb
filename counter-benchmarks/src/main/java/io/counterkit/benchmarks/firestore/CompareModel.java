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
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * Compares adds with the recipe of Firestore's documentation under a {@linkplain ServiceModel model} of the live service:
 * a round trip of 20 ms, and one commit a second to each document, which is the published limit taken by its word. The
 * rate of writes to a shard is kept below that. Once for shard counts from 1 to 50, once for 10,000 counters of which
 * some are much more popular than others. Takes about seven minutes:
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
    private final Bill bill = new Bill();

    /** What is made before the measurement goes past the model. */
    private CompareModel(Firestore plain, Firestore modelled, double commitsPerSecond) {
        this.plain = plain;
        this.modelled = modelled;
        this.commitsPerSecond = commitsPerSecond;
    }

    /** Runs all of it. */
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
            CompareModel compare = new CompareModel(plain, modelled, commitsPerSecond);
            List<Point> curve = compare.shards();
            compare.popular();
            if (args.length > 2) {
                ShardChart.write(Path.of(args[2]), curve);
            }
            plain.shutdown();
            modelled.shutdown();
        }
    }

    /** What one shard count showed, adds a second. */
    record Point(int shards, double recipe, double ours) {}

    private List<Point> shards() throws InterruptedException {
        List<Point> curve = new ArrayList<>();
        for (int shards : SHARDS) {
            PublishedRecipe recipe = PublishedRecipe.create(modelled, name(), shards);
            // More in flight would only wait longer: this keeps every shard busy.
            Sample rival = ClosedLoop.run(4 * shards, WINDOW, recipe::increment);
            String name = name();
            try (FirestoreCounterBackend backend = backend(shards);
                    Counters counters = open(backend)) {
                backend.create(name, shards).join();
                Sample own = ours(counters, () -> name);
                print("one counter, " + shards + " shards", 4 * shards, rival, own);
                curve.add(new Point(shards, rival.rate(), own.rate()));
            }
        }
        return curve;
    }

    private void popular() throws InterruptedException {
        Zipf zipf = new Zipf(MANY);
        List<PublishedRecipe> recipes = PublishedRecipe.createMany(plain, name(), MANY, TEN).stream()
                .map(recipe -> recipe.through(modelled))
                .toList();
        String run = name();
        createMany(run);
        for (int inFlight : RIVALS_IN_FLIGHT) {
            Sample rival = ClosedLoop.run(
                    inFlight, WINDOW, () -> recipes.get(zipf.next()).increment());
            try (FirestoreCounterBackend backend = backend(TEN);
                    Counters counters = open(backend)) {
                Sample own = ours(counters, () -> run + zipf.next());
                print("10,000 counters, zipf 1.0", inFlight, rival, own);
            }
        }
    }

    private void createMany(String run) {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().shards(TEN).build();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(plain, options))) {
            for (int from = 0; from < MANY; from += 1_000) {
                List<CompletableFuture<?>> some = new ArrayList<>();
                for (int i = from; i < from + 1_000; i++) {
                    some.add(counters.counter(run + i).async().add(1));
                }
                some.forEach(CompletableFuture::join);
            }
        }
    }

    private interface Names {
        String next();
    }

    private Sample ours(Counters counters, Names names) throws InterruptedException {
        ClosedLoop.run(
                IN_FLIGHT, WINDOW, () -> counters.counter(names.next()).async().add(1));
        bill.clear();
        return ClosedLoop.run(
                IN_FLIGHT, WINDOW, () -> counters.counter(names.next()).async().add(1));
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

    private void print(String what, int inFlight, Sample rival, Sample own) {
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
