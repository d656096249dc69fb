package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.benchmarks.Statistics;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares many adds at once with the recipe of Firestore's documentation at the concurrency that suits it best: on one
 * hot counter, and on 10,000 counters of different popularity. Also measures the billed writes for 1,000 adds, and how
 * fast a new process reads 1,000 counters. Uses the emulator, which has neither a network nor the live service's
 * limits. Takes about four minutes; {@code only} leaves out the parts whose name has no match:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareAtScale [rounds [commitsInFlight [STAMP]]] [only=regex]
 * }</pre>
 */
public final class CompareAtScale {
    private static final int ROUNDS = 3;
    private static final String ONLY = "only";
    private static final String HOT = "one hot counter";
    private static final String ZIPF = "10,000 counters, zipf 1.0";
    private static final String COLD = "1,000 counters, cold";
    private static final int SHARDS = 10;
    private static final int MANY = 10_000;
    private static final int PAGE = 1_000;
    private static final int IN_FLIGHT = 1_000;
    private static final int[] RIVALS_IN_FLIGHT = {4, 16, 64, 256};
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Firestore firestore;
    private final FirestoreCounterOptions options;
    private final Pattern only;
    private final List<PublishedRecipe> recipes;
    private final Bill bill;
    private final Counters counters;
    private final String prefix = "ours-" + UUID.randomUUID() + "-";

    /** The bill receives the calls of the client. */
    private CompareAtScale(Firestore firestore, Bill bill, FirestoreCounterOptions options, Pattern only, int size) {
        this.firestore = firestore;
        this.bill = bill;
        this.options = options;
        this.only = only;
        this.counters = open();
        this.recipes = PublishedRecipe.createMany(firestore, "recipe-" + UUID.randomUUID() + "-", size, SHARDS);
        addToEach(counters, prefix, size);
    }

    /** Runs all comparisons. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, ONLY);
        int rounds = (int) arguments.numberAt(0, ROUNDS);
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .shards(SHARDS)
                .commitsInFlight((int)
                        arguments.numberAt(1, FirestoreCounterOptions.defaults().commitsInFlight()))
                .writeStrategy(WriteStrategy.valueOf(arguments.at(2, "INCREMENT")))
                .build();
        Pattern only = Pattern.compile(arguments.named(ONLY, ""));
        // The emulator's queries slow down with its number of documents, so each part has an emulator of its own.
        for (int size : new int[] {PAGE, MANY}) {
            if (Stream.of(size == PAGE ? new String[] {COLD} : new String[] {HOT, ZIPF})
                    .noneMatch(part -> only.matcher(part).find())) {
                continue;
            }
            Bill bill = new Bill();
            try (FirestoreEmulator emulator = FirestoreEmulator.start(
                    EmulatorOptions.builder().heap("6g").jvmOptions().build())) {
                Firestore firestore = emulator.connect("demo-benchmark", UnaryOperator.identity(), bill);
                CompareAtScale comparison = new CompareAtScale(firestore, bill, options, only, size);
                if (size == PAGE) {
                    comparison.readCold(rounds);
                } else {
                    comparison.add(rounds);
                }
                comparison.counters.close();
                firestore.shutdown();
            }
        }
    }

    private Counters open() {
        return Counters.over(FirestoreCounterBackend.create(firestore, options));
    }

    private void add(int rounds) throws InterruptedException {
        Zipf zipf = new Zipf(MANY);
        compare(HOT, rounds, () -> recipes.get(0).increment(), () -> addOne(0));
        compare(ZIPF, rounds, () -> recipes.get(zipf.next()).increment(), () -> addOne(zipf.next()));
    }

    private CompletableFuture<?> addOne(int number) {
        return counters.counter(prefix + number).async().add(1);
    }

    private void compare(
            String what, int rounds, Supplier<CompletableFuture<?>> rival, Supplier<CompletableFuture<?>> ours)
            throws InterruptedException {
        if (!only.matcher(what).find()) {
            return;
        }
        List<Double> ratios = new ArrayList<>();
        List<Double> writes = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            LoadResult best = new LoadResult(0, 0, 0, 0);
            int bestInFlight = 0;
            for (int inFlight : RIVALS_IN_FLIGHT) {
                LoadResult result = ClosedLoop.run(inFlight, WINDOW, rival);
                if (result.rate() > best.rate()) {
                    best = result;
                    bestInFlight = inFlight;
                }
            }
            Bill.Units unused = bill.take();
            LoadResult own = ClosedLoop.run(IN_FLIGHT, WINDOW, ours);
            Cost cost = new Cost(own.operations(), bill.take(), Prices.US_CENTRAL1);
            if (round > 0) {
                ratios.add(own.rate() / best.rate());
                writes.add(cost.forThousand(cost.units().writes()));
                System.out.printf(
                        "%-26s recipe %6.0f/s at %d in flight, p50 %.2f ms; ours %8.0f/s, p50 %.2f ms; %5.1f times; %s%n",
                        what,
                        best.rate(),
                        bestInFlight,
                        best.p50(),
                        own.rate(),
                        own.p50(),
                        own.rate() / best.rate(),
                        cost);
            }
        }
        System.out.printf(
                "ratio: %s, %s times the recipe's best rate, %s billed writes for 1,000 adds%n",
                what,
                Statistics.of(ratios, Double::doubleValue).format("%.1f"),
                Statistics.of(writes, Double::doubleValue).format("%.0f"));
    }

    /** Reads with a new backend in each round; the roll-ups are those of another backend. */
    private void readCold(int rounds) {
        List<String> names = IntStream.range(0, PAGE).mapToObj(i -> prefix + i).toList();
        for (int from = 0; from < PAGE; from += 100) {
            counters.readAll(names.subList(from, from + 100), Duration.ofNanos(1));
        }
        for (int round = 0; round <= rounds; round++) {
            double rival = seconds(
                    () -> recipes.stream().map(PublishedRecipe::total).toList().forEach(CompletableFuture::join));
            try (Counters cold = open()) {
                double own = seconds(() -> cold.readAll(names, HOUR));
                if (round > 0) {
                    System.out.printf(
                            "%-26s recipe %6.0f/s, %d billed reads; ours %8.0f/s, %d billed reads; %5.1f times%n",
                            COLD, PAGE / rival, PAGE * SHARDS, PAGE / own, PAGE, rival / own);
                }
            }
        }
    }

    /** Adds 1 to each of many counters. */
    static void addToEach(Counters counters, String prefix, int count) {
        for (int from = 0; from < count; from += PAGE) {
            IntStream.range(from, Math.min(count, from + PAGE))
                    .mapToObj(i -> counters.counter(prefix + i).async().add(1))
                    .toList()
                    .forEach(CompletableFuture::join);
        }
    }

    private static double seconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }
}
