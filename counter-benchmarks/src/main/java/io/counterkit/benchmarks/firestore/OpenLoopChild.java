package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A process of {@link CompareOpenLoop}: a client, and a backend for each way to add. Prints a line when it is ready,
 * then executes the commands that it reads, and prints the result of each as a line. Ends when its input ends.
 */
final class OpenLoopChild {
    /** The ways to add. A command has the position of one. */
    static final List<String> CONTENDERS = List.of("published recipe", "CounterKit", "CounterKit, stamps");

    /** Begins the result of a closed loop of which an add failed. */
    static final String FAILED = "failed: ";

    static final String PROJECT = "demo-benchmark";
    static final int SHARDS = 10;

    private final int counters;
    private final List<Contender> contenders;

    private OpenLoopChild(Firestore client, String run, int counters) {
        this.counters = counters;
        this.contenders = List.of(
                Contender.recipe(PublishedRecipe.openMany(client, recipes(run), counters, SHARDS)),
                counterKit(client, run, WriteStrategy.INCREMENT),
                counterKit(client, run, WriteStrategy.STAMP));
    }

    /** CounterKit without a limit of writes to a shard. */
    private Contender counterKit(Firestore client, String run, WriteStrategy strategy) {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .shards(SHARDS)
                .writeStrategy(strategy)
                .build();
        return Contender.counterKit(client, options, run + "-" + strategy + "-", counters);
    }

    /** Returns the prefix of the recipe's counters. */
    static String recipes(String run) {
        return run + "-recipe-";
    }

    /**
     * Runs the process.
     *
     * @param args the emulator's address, what begins the names of all counters, their number, and the nanoseconds of a
     *     round trip
     */
    public static void main(String[] args) throws InterruptedException {
        PrintStream results = System.out;
        // What the client prints must not disturb the results.
        System.setOut(System.err);
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(commands), "commands");
        reader.setDaemon(true);
        reader.start();
        Firestore client = connect(args[0], Duration.ofNanos(Long.parseLong(args[3])));
        OpenLoopChild child = new OpenLoopChild(client, args[1], Integer.parseInt(args[2]));
        results.println("ready");
        while (true) {
            results.println(child.execute(commands.take()));
        }
    }

    /** Reads while commands are executed, so that this process ends at once when its parent ends. */
    private static void read(BlockingQueue<String> commands) {
        try {
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                    .lines()
                    .forEach(commands::add);
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static Firestore connect(String hostAndPort, Duration roundTrip) {
        FirestoreEmulator emulator = FirestoreEmulator.at(hostAndPort);
        return roundTrip.isZero()
                ? emulator.connect(PROJECT)
                : emulator.connect(
                        PROJECT,
                        UnaryOperator.identity(),
                        new ServiceModel(roundTrip, Double.POSITIVE_INFINITY, Prices.US_CENTRAL1));
    }

    /** Returns the command for {@link ClosedLoop}, whose result is the rate. */
    static String closedLoop(int contender, int inFlight, Duration window) {
        return String.join(" ", "closed", "" + contender, "" + inFlight, "" + window.toNanos());
    }

    /**
     * Returns the command for {@link PacedProcess}, whose result is {@link PacedProcess#result}.
     *
     * @param firstDue when the first add is due, in nanoseconds {@linkplain #sinceEpoch since the epoch}
     */
    static String paced(int contender, int count, long firstDue, double intervalNanos) {
        return String.join(" ", "paced", "" + contender, "" + count, "" + firstDue, "" + intervalNanos);
    }

    /** Returns the nanoseconds since the epoch: a clock that all processes of a machine share. */
    static long sinceEpoch() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    }

    private String execute(String command) throws InterruptedException {
        String[] words = command.split(" ", -1);
        Contender contender = contenders.get(Integer.parseInt(words[1]));
        int number = Integer.parseInt(words[2]);
        long nanos = Long.parseLong(words[3]);
        Supplier<CompletableFuture<?>> adds =
                () -> contender.adds().apply(ThreadLocalRandom.current().nextInt(counters));
        if (words[0].equals("closed")) {
            return closedLoop(number, Duration.ofNanos(nanos), adds);
        }
        PacedProcess paced = new PacedProcess(adds);
        paced.run(number, System.nanoTime() + nanos - sinceEpoch(), Double.parseDouble(words[4]));
        return paced.result();
    }

    private static String closedLoop(int inFlight, Duration window, Supplier<CompletableFuture<?>> adds)
            throws InterruptedException {
        try {
            return "" + ClosedLoop.run(inFlight, window, adds).rate();
        } catch (IllegalStateException e) {
            return FAILED + String.valueOf(e.getCause()).replaceAll("\\R", " ");
        }
    }
}
