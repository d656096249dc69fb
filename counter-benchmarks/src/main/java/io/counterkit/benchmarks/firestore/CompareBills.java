package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.grpc.ClientInterceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the bills of a month with that of the recipe of Firestore's documentation, for each {@link MonthlyLoad}.
 * Counts the documents that adds read, write and delete on the emulator, and multiplies them by the adds of a month and
 * by list prices. Each process is a client and a backend of its own in this JVM, and has added to every counter several
 * times before the count begins: what processes pay when they start is not counted.
 *
 * <ul>
 *   <li>The idle and the typical load: adds to random counters by random processes, one at a time, since at these rates
 *       no add meets another. The pauses between them are left out.
 *   <li>The Zipf and the hot load: adds arrive at their rate, each call takes a round trip of 20 ms, and the writes to
 *       a shard have the limit that is the default on the live service.
 * </ul>
 *
 * <p>Takes a few minutes with 5,000 adds one at a time, and 20 seconds of each load that arrives at its rate:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareBills [adds [seconds]] [prices=0.06,0.18,0.02]
 * }</pre>
 */
public final class CompareBills {
    private static final Duration ROUND_TRIP = Duration.ofMillis(20);

    /** The default on the live service; with an emulator there is none. */
    private static final double WRITES_PER_SHARD = 1;

    private static final int BURST = 10;
    private static final int SAMPLE = 100;

    private static final String HEADING =
            "| load | adds by | adds a commit | writes | reads | deletes | dollars a month | ÷ recipe |\n"
                    + "|---|---|---|---|---|---|---|---|";

    private final FirestoreEmulator emulator;
    private final Scale scale;
    private final Prices prices;

    CompareBills(FirestoreEmulator emulator, Scale scale, Prices prices) {
        this.emulator = emulator;
        this.scale = scale;
        this.prices = prices;
    }

    /**
     * The size of the measurement.
     *
     * @param sample how many counters stand for those that get their adds one at a time
     * @param warmUps how often each process adds to each counter first
     * @param adds how many adds to count of those that come one at a time
     * @param window how long adds arrive at their rate while they are counted, after half as long a warm-up
     * @param burst how many writes to a shard a process may make at once
     */
    record Scale(int sample, int warmUps, int adds, Duration window, int burst) {}

    /** Runs the comparison. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, Prices.ARGUMENT);
        int adds = (int) arguments.numberAt(0, 5_000);
        Duration window = Duration.ofMillis((long) (1000 * arguments.numberAt(1, 20)));
        Prices prices = Prices.of(arguments);
        System.out.println(MonthlyLoad.HEADING);
        Stream.of(MonthlyLoad.values()).forEach(System.out::println);
        System.out.printf("%n%s; reads, writes and deletes for 1,000 adds:%n%n%s%n", prices, HEADING);
        for (MonthlyLoad load : MonthlyLoad.values()) {
            try (FirestoreEmulator emulator = FirestoreEmulator.start(
                    EmulatorOptions.builder().heap("3g").jvmOptions().build())) {
                Scale scale = new Scale(SAMPLE, load.isPaced() ? 1 : 10, adds, window, BURST);
                CompareBills bills = new CompareBills(emulator, scale, prices);
                Cost recipe = bills.recipe();
                print(load, "published recipe", recipe, recipe);
                print(load, "CounterKit", bills.counterKit(load, WriteStrategy.INCREMENT), recipe);
                print(load, "CounterKit, stamps", bills.counterKit(load, WriteStrategy.STAMP), recipe);
            }
        }
    }

    private static void print(MonthlyLoad load, String name, Cost cost, Cost recipe) {
        System.out.printf(
                "| %s | %s | %.1f | %,.0f | %,.0f | %,.0f | %,.2f | %.2f |%n",
                load.label(),
                name,
                cost.addsPerCommit(),
                cost.forThousand(cost.units().writes()),
                cost.forThousand(cost.units().reads()),
                cost.forThousand(cost.units().deletes()),
                cost.dollars(load.perMonth()),
                cost.dollars(1) / recipe.dollars(1));
    }

    /** Returns the cost of the recipe, whose adds are never merged: it is the same for each load. */
    Cost recipe() {
        Bill bill = new Bill();
        Firestore client = connect(bill);
        PublishedRecipe recipe = PublishedRecipe.create(client, "recipe-" + UUID.randomUUID(), 10);
        Bill.Units unused = bill.take();
        for (int i = 0; i < scale.adds(); i++) {
            recipe.increment().join();
        }
        client.shutdown();
        return new Cost(scale.adds(), bill.take(), prices);
    }

    Cost counterKit(MonthlyLoad load, WriteStrategy strategy) throws InterruptedException {
        return load.isPaced() ? paced(load, strategy) : oneAtATime(load, strategy);
    }

    private Cost oneAtATime(MonthlyLoad load, WriteStrategy strategy) {
        Bill bill = new Bill();
        List<Firestore> clients = clients(load, bill);
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().writeStrategy(strategy).build();
        List<Contender> processes = processes(load, options, clients);
        try {
            warmUp(processes, load);
            Bill.Units unused = bill.take();
            IntSupplier draws = load.draws(scale.sample());
            for (int i = 0; i < scale.adds(); i++) {
                Contender process = processes.get(ThreadLocalRandom.current().nextInt(processes.size()));
                process.adds().apply(draws.getAsInt()).join();
            }
            return new Cost(scale.adds(), bill.take(), prices);
        } finally {
            processes.forEach(Contender::close);
            clients.forEach(Firestore::shutdown);
        }
    }

    /** Lets each process add to each counter, several processes at once but at other counters. */
    private void warmUp(List<Contender> processes, MonthlyLoad load) {
        int counters = load.measured(scale.sample());
        for (int i = 0; i < scale.warmUps() * counters; i++) {
            List<CompletableFuture<?>> adds = new ArrayList<>();
            for (int process = 0; process < processes.size(); process++) {
                adds.add(processes.get(process).adds().apply((i + process * counters / processes.size()) % counters));
            }
            adds.forEach(CompletableFuture::join);
        }
    }

    private Cost paced(MonthlyLoad load, WriteStrategy strategy) throws InterruptedException {
        ServiceModel model = new ServiceModel(ROUND_TRIP, Double.POSITIVE_INFINITY, prices);
        List<Firestore> clients = clients(load, model);
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .writeStrategy(strategy)
                .writesPerShard(WRITES_PER_SHARD, scale.burst())
                .build();
        model.setTransparent(true);
        List<Contender> processes = processes(load, options, clients);
        try {
            warmUp(processes, load);
            model.setTransparent(false);
            addAtRate(processes, load, scale.window().dividedBy(2));
            Cost unused = model.takeCost(0);
            return model.takeCost(addAtRate(processes, load, scale.window()));
        } finally {
            processes.forEach(Contender::close);
            clients.forEach(Firestore::shutdown);
        }
    }

    /** Lets the processes add in turn at the rate of the load, and returns how many adds these were. */
    private long addAtRate(List<Contender> processes, MonthlyLoad load, Duration window) throws InterruptedException {
        IntSupplier draws = load.draws(scale.sample());
        AtomicInteger turn = new AtomicInteger();
        PacedProcess paced = new PacedProcess(() -> {
            Contender process = processes.get(turn.getAndIncrement() % processes.size());
            return process.adds().apply(draws.getAsInt());
        });
        int count = (int) (window.toNanos() * load.perSecond() / 1e9);
        paced.run(count, System.nanoTime(), 1e9 / load.perSecond());
        if (paced.failures() > 0) {
            throw new IllegalStateException(paced.failures() + " adds failed, so the bill is void", paced.failure());
        }
        return count;
    }

    private List<Contender> processes(MonthlyLoad load, FirestoreCounterOptions options, List<Firestore> clients) {
        String prefix = "ours-" + UUID.randomUUID() + "-";
        return clients.stream()
                .map(client -> Contender.counterKit(client, options, prefix, load.measured(scale.sample())))
                .toList();
    }

    private List<Firestore> clients(MonthlyLoad load, ClientInterceptor interceptor) {
        return IntStream.range(0, load.processes())
                .mapToObj(i -> connect(interceptor))
                .toList();
    }

    private Firestore connect(ClientInterceptor interceptor) {
        return emulator.connect("demo-benchmark", UnaryOperator.identity(), interceptor);
    }
}
