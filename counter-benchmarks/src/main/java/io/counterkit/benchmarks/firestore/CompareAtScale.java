package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Compares many adds at once with the recipe of Firestore's documentation at the concurrency that suits it best: on one
 * hot counter, and on 10,000 counters of which some are much more popular than others. Also what a thousand adds cost in
 * billed writes, and how fast a process that knows nothing reads a thousand counters. On the emulator, which has no
 * network and none of the live service's limits. Takes about four minutes:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareAtScale [rounds [commitsInFlight]]
 * }</pre>
 */
public final class CompareAtScale {
    private static final int ROUNDS = 3;
    private static final int SHARDS = 10;
    private static final int MANY = 10_000;
    private static final int PAGE = 1_000;
    private static final int IN_FLIGHT = 1_000;
    private static final int[] RIVALS_IN_FLIGHT = {4, 16, 64, 256};
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Firestore firestore;
    private final int commitsInFlight;
    private final int size;
    private final Bill bill = new Bill();
    private final Counters counters;
    private final String run = UUID.randomUUID().toString();

    private CompareAtScale(Firestore firestore, int commitsInFlight, int size) {
        this.firestore = firestore;
        this.size = size;
        this.commitsInFlight = commitsInFlight;
        this.counters = open();
    }

    /** Runs all of it. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
        int commitsInFlight =
                args.length < 2 ? FirestoreCounterOptions.defaults().commitsInFlight() : Integer.parseInt(args[1]);
        // The emulator takes longer for a query the more documents there are, whatever it asks for: so reads come
        // first, on an emulator of their own.
        with(firestore -> new CompareAtScale(firestore, commitsInFlight, PAGE).readCold(rounds));
        with(firestore -> new CompareAtScale(firestore, commitsInFlight, MANY).add(rounds));
    }

    private interface Run {
        void on(Firestore firestore) throws InterruptedException;
    }

    private static void with(Run run) throws InterruptedException {
        try (FirestoreEmulator emulator =
                FirestoreEmulator.start(EmulatorOptions.builder().heap("6g").build())) {
            Firestore firestore = emulator.connect("demo-benchmark");
            run.on(firestore);
            firestore.shutdown();
        }
    }

    private Counters open() {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .shards(SHARDS)
                .commitsInFlight(commitsInFlight)
                .build();
        return Counters.over(
                FirestoreCounterBackend.create(firestore, options),
                CountersOptions.builder().listener(bill).build());
    }

    private void add(int rounds) throws InterruptedException {
        List<PublishedRecipe> recipes = recipes();
        Zipf zipf = new Zipf(size);
        compare(
                "one hot counter",
                rounds,
                () -> recipes.get(0).increment(),
                () -> counters.counter(name(0)).async().add(1));
        compare(
                "10,000 counters, zipf 1.0",
                rounds,
                () -> recipes.get(zipf.next()).increment(),
                () -> counters.counter(name(zipf.next())).async().add(1));
        counters.close();
    }

    private String name(int number) {
        return "ours-" + run + "-" + number;
    }

    private List<PublishedRecipe> recipes() {
        List<PublishedRecipe> recipes = PublishedRecipe.createMany(firestore, "recipe-" + run + "-", size, SHARDS);
        List<CompletableFuture<?>> first = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            first.add(counters.counter(name(i)).async().add(1));
            if (i % 1000 == 999) {
                first.forEach(CompletableFuture::join);
            }
        }
        return recipes;
    }

    private void compare(String what, int rounds, Operation rival, Operation ours) throws InterruptedException {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Sample best = null;
            int bestInFlight = 0;
            for (int inFlight : RIVALS_IN_FLIGHT) {
                Sample sample = ClosedLoop.run(inFlight, WINDOW, rival::start);
                if (best == null || sample.rate() > best.rate()) {
                    best = sample;
                    bestInFlight = inFlight;
                }
            }
            bill.clear();
            Sample own = ClosedLoop.run(IN_FLIGHT, WINDOW, ours::start);
            if (best != null && round > 0) {
                ratios.add(own.rate() / best.rate());
                System.out.printf(
                        "%-26s recipe %6.0f/s at %d in flight, p50 %.2f ms; ours %8.0f/s, p50 %.2f ms; %5.1f times; %s%n",
                        what,
                        best.rate(),
                        bestInFlight,
                        best.p50(),
                        own.rate(),
                        own.p50(),
                        own.rate() / best.rate(),
                        bill);
            }
        }
        ratios.sort(null);
        System.out.printf(
                "%-26s median %.1f times (%.1f..%.1f)%n",
                what, ratios.get(ratios.size() / 2), ratios.get(0), ratios.get(ratios.size() - 1));
    }

    /** Each time with a backend that has seen nothing; the roll-ups were left by another one. */
    private void readCold(int rounds) {
        List<PublishedRecipe> recipes = recipes();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < PAGE; i++) {
            names.add(name(i));
        }
        for (int from = 0; from < PAGE; from += 100) {
            counters.readAll(names.subList(from, from + 100), Duration.ofNanos(1));
        }
        for (int round = 0; round <= rounds; round++) {
            long start = System.nanoTime();
            List<CompletableFuture<Long>> totals = new ArrayList<>();
            recipes.forEach(recipe -> totals.add(recipe.total()));
            totals.forEach(CompletableFuture::join);
            double rival = seconds(start);
            Counters cold = open();
            start = System.nanoTime();
            cold.readAll(names, HOUR);
            double own = seconds(start);
            cold.close();
            if (round > 0) {
                System.out.printf(
                        "%-26s recipe %6.0f/s, %d billed reads; ours %8.0f/s, %d billed reads; %5.1f times%n",
                        "1,000 counters, cold", PAGE / rival, PAGE * SHARDS, PAGE / own, PAGE, rival / own);
            }
        }
        counters.close();
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    private interface Operation {
        CompletableFuture<?> start();
    }
}
