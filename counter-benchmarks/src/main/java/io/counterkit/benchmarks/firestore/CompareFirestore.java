package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Sequence;
import io.counterkit.benchmarks.Arguments;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Compares adds and reads with the recipe of Firestore's documentation, on one emulator, in windows that take turns,
 * and measures appends. The emulator has neither a network nor the limits of the live service: the ratios show what the
 * token costs and what merging gains, not the speed of the service. Takes about eight minutes, or three seconds for
 * each line and round, and for a warm-up, of the lines whose name has a match of {@code only}:
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.CompareFirestore [rounds [only=regex]]
 * }</pre>
 */
public final class CompareFirestore {
    private static final int ROUNDS = 5;
    private static final String ONLY = "only";
    private static final Duration WINDOW = Duration.ofMillis(1500);

    private final Firestore firestore;
    private final FirestoreCounterBackend backend;
    private final Counters counters;
    private final Counters stamps;
    private final List<LoadComparison> comparisons = new ArrayList<>();

    private CompareFirestore(Firestore firestore) {
        this.firestore = firestore;
        this.backend = FirestoreCounterBackend.create(firestore);
        this.counters = Counters.over(backend);
        this.stamps = Counters.over(FirestoreCounterBackend.create(
                firestore,
                FirestoreCounterOptions.builder()
                        .writeStrategy(WriteStrategy.STAMP)
                        .build()));
    }

    /** Runs all comparisons. */
    public static void main(String[] args) throws Exception {
        Arguments arguments = Arguments.of(args, ONLY);
        int rounds = (int) arguments.numberAt(0, ROUNDS);
        Pattern only = Pattern.compile(arguments.named(ONLY, ""));
        try (FirestoreEmulator emulator = FirestoreEmulator.start(
                EmulatorOptions.builder().heap("4g").jvmOptions().build())) {
            Firestore firestore = emulator.connect("demo-benchmark");
            new CompareFirestore(firestore).run(rounds, only);
            firestore.shutdown();
        }
    }

    private void run(int rounds, Pattern only) throws InterruptedException {
        for (int shards : new int[] {1, 10, 50}) {
            PublishedRecipe recipe = PublishedRecipe.create(firestore, "recipe-" + UUID.randomUUID(), shards);
            Counter counter = counter(shards);
            for (int inFlight : new int[] {1, 16, 64}) {
                comparisons.add(new LoadComparison(
                        "add, " + inFlight + " in flight, " + shards + " shards",
                        inFlight,
                        recipe::increment,
                        () -> counter.async().add(1)));
            }
            Counter stamped = stamps.counter(counter(shards).name());
            comparisons.add(new LoadComparison(
                    "add with a stamp, 1 in flight, " + shards + " shards",
                    1,
                    recipe::increment,
                    () -> stamped.async().add(1)));
        }
        for (int shards : new int[] {10, 100, 1000}) {
            PublishedRecipe recipe = PublishedRecipe.create(firestore, "recipe-" + UUID.randomUUID(), shards);
            Counter counter = counter(shards);
            comparisons.add(new LoadComparison(
                    "strong read of " + shards + " shards",
                    1,
                    recipe::total,
                    () -> counter.async().get()));
        }
        for (int inFlight : new int[] {1, 16, 64}) {
            Sequence sequence = counters.sequence("sequence-" + UUID.randomUUID());
            comparisons.add(new LoadComparison(
                    "append, " + inFlight + " in flight",
                    inFlight,
                    null,
                    () -> sequence.async().next()));
        }
        comparisons.removeIf(comparison -> !comparison.isNamedLike(only));
        for (int round = 0; round <= rounds; round++) {
            System.err.println(round == 0 ? "warming up" : "round " + round + " of " + rounds);
            for (LoadComparison comparison : comparisons) {
                comparison.run(WINDOW, round > 0);
            }
        }
        System.out.println(LoadComparison.HEADING);
        comparisons.forEach(System.out::println);
        comparisons.stream()
                .filter(LoadComparison::hasRival)
                .map(LoadComparison::ratioLine)
                .forEach(System.out::println);
        counters.close();
        stamps.close();
    }

    private Counter counter(int shards) {
        String name = "ours-" + UUID.randomUUID();
        backend.create(name, shards).join();
        return counters.counter(name);
    }
}
