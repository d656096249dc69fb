package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Compares the times of adds that arrive at a fixed rate with those of the recipe of Firestore's documentation: on one
 * counter and on 1,000 counters of 10 shards each, with and without a round trip of 20 ms. A rate is a fifth, a half or
 * four fifths of what each way bears, which is the best rate of a window with 64, 256 or 1,000 adds in flight. Each time is
 * measured from the moment when the add was due. Windows of the ways that are compared take turns.
 *
 * <p>Four processes add at once. They are four clients in this JVM, each with a connection and a backend of its own, and a
 * thread that starts adds. The emulator has none of the live service's limits.
 *
 * <p>Takes 36 seconds for each second of a point, and some 90 seconds besides. With a folder, writes a chart for each of
 * the four cases into it:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareOpenLoop [secondsOfAPoint [folder]]
 * }</pre>
 */
public final class CompareOpenLoop {
    static final int PROCESSES = 4;
    static final double[] PARTS = {0.2, 0.5, 0.8};
    private static final int[] IN_FLIGHT = {64, 256, 1_000};
    private static final int ROUND_TRIP_MILLIS = 20;

    private final FirestoreEmulator emulator;
    private final Scale scale;

    CompareOpenLoop(FirestoreEmulator emulator, Scale scale) {
        this.emulator = emulator;
        this.scale = scale;
    }

    /**
     * How much is measured.
     *
     * @param point the time of one rate of one contender, in all rounds
     * @param calibration the time of one window that finds out what a contender bears
     * @param most the highest rate that it may bear, in adds a second
     */
    record Scale(Duration point, int rounds, Duration calibration, double most) {}

    /** Runs the comparison. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args);
        Duration point = Duration.ofMillis((long) (1000 * arguments.numberAt(0, 3)));
        String folder = arguments.at(1, "");
        Scale scale = new Scale(point, 2, Duration.ofSeconds(1), Double.POSITIVE_INFINITY);
        System.out.println(OpenLoopPoint.HEADING);
        for (int counters : new int[] {1, 1_000}) {
            for (int millis : new int[] {0, ROUND_TRIP_MILLIS}) {
                // The emulator keeps every version of a document, so each case has an emulator of its own.
                try (FirestoreEmulator emulator = FirestoreEmulator.start(
                        EmulatorOptions.builder().heap("4g").jvmOptions().build())) {
                    List<OpenLoopPoint> points =
                            new CompareOpenLoop(emulator, scale).run(counters, Duration.ofMillis(millis));
                    points.forEach(System.out::println);
                    draw(folder, counters, millis, points);
                }
            }
        }
    }

    private static void draw(String folder, int counters, int millis, List<OpenLoopPoint> points) throws IOException {
        if (!folder.isEmpty()) {
            OpenLoopChart.write(Path.of(folder, "open-loop-" + counters + "-" + millis + "ms.svg"), points);
        }
    }

    /** Measures one case. */
    List<OpenLoopPoint> run(int counters, Duration roundTrip) throws InterruptedException {
        ServiceModel model = new ServiceModel(roundTrip, Double.POSITIVE_INFINITY, Prices.US_CENTRAL1);
        Firestore creator = emulator.connect("demo-benchmark");
        List<Firestore> clients = IntStream.range(0, PROCESSES)
                .mapToObj(i -> roundTrip.isZero()
                        ? emulator.connect("demo-benchmark")
                        : emulator.connect("demo-benchmark", UnaryOperator.identity(), model))
                .toList();
        try (Contender recipe = Contender.recipe(creator, clients, counters);
                Contender tokens = Contender.counterKit(WriteStrategy.INCREMENT, clients, counters);
                Contender stamps = Contender.counterKit(WriteStrategy.STAMP, clients, counters)) {
            return measure(List.of(recipe, tokens, stamps), counters, roundTrip);
        } finally {
            clients.forEach(Firestore::shutdown);
            creator.shutdown();
        }
    }

    private List<OpenLoopPoint> measure(List<Contender> contenders, int counters, Duration roundTrip)
            throws InterruptedException {
        List<Double> borne = new ArrayList<>();
        for (Contender contender : contenders) {
            borne.add(Math.min(scale.most(), best(operations(contender, counters))));
        }
        List<OpenLoopPoint> points = new ArrayList<>();
        for (double part : PARTS) {
            List<OpenLoop> loops =
                    contenders.stream().map(each -> new OpenLoop()).toList();
            for (int round = 0; round < scale.rounds(); round++) {
                for (int i = 0; i < contenders.size(); i++) {
                    loops.get(i)
                            .run(
                                    part * borne.get(i),
                                    scale.point().dividedBy(scale.rounds()),
                                    operations(contenders.get(i), counters));
                }
            }
            for (int i = 0; i < contenders.size(); i++) {
                points.add(new OpenLoopPoint(
                        contenders.get(i).name(),
                        counters,
                        roundTrip,
                        part,
                        part * borne.get(i),
                        loops.get(i).times(),
                        loops.get(i).delays(),
                        loops.get(i).failures()));
            }
        }
        return points;
    }

    private static List<Supplier<CompletableFuture<?>>> operations(Contender contender, int counters) {
        List<Supplier<CompletableFuture<?>>> operations = new ArrayList<>();
        for (IntFunction<CompletableFuture<?>> process : contender.processes()) {
            operations.add(() -> process.apply(ThreadLocalRandom.current().nextInt(counters)));
        }
        return operations;
    }

    /** Returns the best rate of a contender whose processes start their adds in turn, after a window as a warm-up. */
    private double best(List<Supplier<CompletableFuture<?>>> operations) throws InterruptedException {
        AtomicInteger turn = new AtomicInteger();
        Supplier<CompletableFuture<?>> inTurn =
                () -> operations.get(turn.getAndIncrement() % operations.size()).get();
        ClosedLoop.run(IN_FLIGHT[0], scale.calibration(), inTurn);
        double best = 0;
        for (int inFlight : IN_FLIGHT) {
            try {
                LoadResult result = ClosedLoop.run(inFlight, scale.calibration(), inTurn);
                best = Math.max(best, result.rate());
            } catch (IllegalStateException e) {
                // The recipe's adds fail where too many wait for the lock of a shard.
                System.err.println(inFlight + " in flight are too many: " + e.getCause());
            }
        }
        if (best == 0) {
            throw new IllegalStateException("adds fail at " + IN_FLIGHT[0] + " in flight: use a quieter machine");
        }
        return best;
    }
}
