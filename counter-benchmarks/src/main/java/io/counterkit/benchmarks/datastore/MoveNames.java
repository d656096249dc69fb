package io.counterkit.benchmarks.datastore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationJob;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.MigrationReport;
import io.counterkit.migration.Rollout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Moves sequences from the local Datastore to Firestore's emulator, neither of which has a network or the limits of a
 * live service: names a second without entries, entries a second with, and the time that an append takes before, in and
 * after the move of its sequence.
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.datastore.MoveNames [rounds] [names]
 * }</pre>
 */
public final class MoveNames {
    private static final int ENTRIES = 100;

    private final String prefix = UUID.randomUUID() + "/";
    private final Firestore firestore;
    private final int names;

    private MoveNames(Firestore firestore, int names) {
        this.firestore = firestore;
        this.names = names;
    }

    /** Measures and prints. */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int names = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        try (FirestoreEmulator emulator =
                FirestoreEmulator.start(EmulatorOptions.builder().heap("2g").build())) {
            for (int round = 0; round <= rounds; round++) {
                System.out.println(round == 0 ? "to warm up" : "round " + round + " of " + rounds);
                run(emulator, names, bench -> bench.move(false));
                run(emulator, names, bench -> bench.move(true));
                run(emulator, names, MoveNames::moveUnderWriter);
            }
        }
    }

    private interface Part {
        void of(MoveNames bench) throws InterruptedException;
    }

    private static void run(FirestoreEmulator emulator, int names, Part part) throws Exception {
        Firestore client = emulator.connect("demo-" + UUID.randomUUID());
        try (LocalDatastore store = LocalDatastore.open(Map.of(), 0)) {
            store.enterThread();
            part.of(new MoveNames(client, names));
        } finally {
            client.close();
        }
    }

    private static DatastoreSequenceBackend datastore() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults());
    }

    private MigratingBackend migrating(Rollout rollout) {
        MigrationOptions options =
                MigrationOptions.builder("old", "new").rollout(rollout).build();
        return MigratingBackend.create(datastore(), FirestoreCounterBackend.create(firestore), options);
    }

    private List<String> fill(int entries) {
        List<String> filled =
                IntStream.range(0, names).mapToObj(i -> prefix + i).toList();
        Counters before = Counters.over(datastore());
        for (String name : filled) {
            for (int i = 0; i < entries; i++) {
                before.sequence(name).append(Map.of("customer", "c-" + i, "total", (long) i));
            }
        }
        return filled;
    }

    private void move(boolean isCopying) throws InterruptedException {
        fill(isCopying ? ENTRIES : 1);
        MigrationJobOptions options = MigrationJobOptions.builder()
                .copyEntries(isCopying)
                .ramp(RampUpLimiter.unlimited())
                .build();
        long start = System.nanoTime();
        MigrationReport report =
                MigrationJob.over(migrating(Rollout.at(100)), options).run();
        double seconds = (System.nanoTime() - start) / 1e9;
        if (!report.isClean() || report.sequences().moved() != names) {
            throw new IllegalStateException("not all were moved: " + report);
        }
        if (isCopying) {
            System.out.printf(
                    "with %d entries each: %.1f names/s, %.0f entries/s%n",
                    ENTRIES, names / seconds, report.sequences().copied() / seconds);
        } else {
            System.out.printf("without entries: %.1f names/s%n", names / seconds);
        }
    }

    /** One writer goes from sequence to sequence; the one in the middle of three appends is that which moves it. */
    private void moveUnderWriter() {
        List<String> filled = fill(2);
        Rollout rollout = Rollout.at(0);
        Counters counters = Counters.over(migrating(rollout));
        long[] before = new long[names];
        long[] in = new long[names];
        long[] after = new long[names];
        for (int i = 0; i < names; i++) {
            rollout.set(0);
            before[i] = append(counters, filled.get(i));
            rollout.set(100);
            in[i] = append(counters, filled.get(i));
            after[i] = append(counters, filled.get(i));
        }
        System.out.printf("an append before the move: %s%n", said(before));
        System.out.printf("an append that moves its sequence: %s%n", said(in));
        System.out.printf("an append after the move: %s%n", said(after));
    }

    private static long append(Counters counters, String name) {
        long start = System.nanoTime();
        counters.sequence(name).append(Map.of("customer", "c"));
        return System.nanoTime() - start;
    }

    private static String said(long[] nanos) {
        Arrays.sort(nanos);
        return String.format(
                "p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                nanos[nanos.length / 2] / 1e6,
                nanos[(nanos.length - 1) * 99 / 100] / 1e6,
                nanos[nanos.length - 1] / 1e6);
    }
}
