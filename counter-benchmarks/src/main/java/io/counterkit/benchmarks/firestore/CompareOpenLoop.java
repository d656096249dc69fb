package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Compares the times of adds that arrive at a fixed rate with those of the recipe of Firestore's documentation: on one
 * counter and on 1,000 counters of 10 shards each, with and without a round trip of 20 ms. A rate is a fifth, a half
 * or four fifths of the highest rate of a contender, which is its best rate in windows with 64, 256 and 1,000 adds in
 * flight. Each time is measured from the moment when the add was due. The windows of the contenders take turns.
 *
 * <p>Four processes add at once, each with a client and backends of its own: JVMs that this program starts and ends.
 * The emulator has none of the live service's limits.
 *
 * <p>Takes 36 seconds for each second of a point, and some six minutes besides. With a folder, writes a chart for each
 * of the four cases into it:
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

    /** Each case has new processes, and five JVMs compile at once. */
    private static final int WARM_UPS = 4;

    /** So that all processes have read their command when the first add is due. */
    private static final Duration LEAD = Duration.ofMillis(100);

    private final FirestoreEmulator emulator;
    private final Scale scale;

    CompareOpenLoop(FirestoreEmulator emulator, Scale scale) {
        this.emulator = emulator;
        this.scale = scale;
    }

    /**
     * The size of the measurement.
     *
     * @param warmUps how often all contenders run every load that calibrates them, before they are measured
     * @param point the time of one rate of one contender, in all rounds
     * @param calibration the time of one window that measures the highest rate of a contender
     * @param most the highest rate to try, in adds a second
     */
    record Scale(int warmUps, Duration point, int rounds, Duration calibration, double most) {}

    /** Runs the comparison. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args);
        Duration point = Duration.ofMillis((long) (1000 * arguments.numberAt(0, 3)));
        String folder = arguments.at(1, "");
        Scale scale = new Scale(WARM_UPS, point, 2, Duration.ofSeconds(1), Double.POSITIVE_INFINITY);
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
    List<OpenLoopPoint> run(int counters, Duration roundTrip) throws IOException, InterruptedException {
        String run = UUID.randomUUID().toString();
        Firestore creator = emulator.connect(OpenLoopChild.PROJECT);
        List<PublishedRecipe> unused =
                PublishedRecipe.createMany(creator, OpenLoopChild.recipes(run), counters, OpenLoopChild.SHARDS);
        creator.shutdown();
        try (ChildProcesses processes = new ChildProcesses()) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.start(
                        OpenLoopChild.class, emulator.hostAndPort(), run, "" + counters, "" + roundTrip.toNanos());
            }
            return measure(processes, counters, roundTrip);
        }
    }

    private List<OpenLoopPoint> measure(ChildProcesses processes, int counters, Duration roundTrip)
            throws IOException, InterruptedException {
        List<String> contenders = OpenLoopChild.CONTENDERS;
        for (int warmUp = 0; warmUp < scale.warmUps(); warmUp++) {
            for (int i = 0; i < contenders.size(); i++) {
                double unused = best(processes, i);
            }
        }
        List<Double> highest = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            highest.add(Math.min(scale.most(), best(processes, i)));
        }
        List<OpenLoopPoint> points = new ArrayList<>();
        for (double part : PARTS) {
            List<List<String>> results = contenders.stream()
                    .<List<String>>map(each -> new ArrayList<>())
                    .toList();
            for (int round = 0; round < scale.rounds(); round++) {
                for (int i = 0; i < contenders.size(); i++) {
                    results.get(i).addAll(addAtRate(processes, i, part * highest.get(i)));
                }
            }
            for (int i = 0; i < contenders.size(); i++) {
                points.add(OpenLoopPoint.of(
                        contenders.get(i), counters, roundTrip, part, part * highest.get(i), results.get(i)));
            }
        }
        return points;
    }

    /** Lets the processes add in turn at a rate of all together, for one window, and returns their results. */
    private List<String> addAtRate(ChildProcesses processes, int contender, double rate)
            throws IOException, InterruptedException {
        Duration window = scale.point().dividedBy(scale.rounds());
        double step = 1e9 / rate;
        long start = OpenLoopChild.sinceEpoch() + LEAD.toNanos();
        return processes.execute(i ->
                OpenLoopChild.paced(contender, countOfEach(rate, window), start + (long) (i * step), PROCESSES * step));
    }

    /** Returns how many adds each process starts, at least one. */
    static int countOfEach(double rate, Duration window) {
        return Math.max(1, (int) (window.toNanos() * rate / (PROCESSES * 1e9)));
    }

    private double best(ChildProcesses processes, int contender) throws IOException, InterruptedException {
        double best = 0;
        for (int inFlight : IN_FLIGHT) {
            best = Math.max(best, rate(processes, contender, inFlight));
        }
        if (best == 0) {
            throw new IllegalStateException("adds fail at " + IN_FLIGHT[0] + " in flight: use a quieter machine");
        }
        return best;
    }

    /** Returns the rate of all processes with so many adds in flight together; 0 if an add failed. */
    private double rate(ChildProcesses processes, int contender, int inFlight)
            throws IOException, InterruptedException {
        String command = OpenLoopChild.closedLoop(contender, inFlight / PROCESSES, scale.calibration());
        double rate = 0;
        for (String result : processes.execute(i -> command)) {
            if (result.startsWith(OpenLoopChild.FAILED)) {
                // The recipe's adds fail where too many wait for the lock of a shard.
                System.err.println(inFlight + " in flight are too many: " + result);
                return 0;
            }
            rate += Double.parseDouble(result);
        }
        return rate;
    }
}
