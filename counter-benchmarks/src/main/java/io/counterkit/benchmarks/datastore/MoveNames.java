package io.counterkit.benchmarks.datastore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.RampUpLimiter;
import io.counterkit.benchmarks.Statistics;
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
import java.util.Map;
import java.util.UUID;

/**
 * Moves sequences from the local Datastore to Firestore's emulator, which have neither a network nor the limits of a
 * live service. Measures names a second without entries, entries a second with entries, and the time of an append
 * before, during and after the move of its sequence.
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
        try (FirestoreEmulator emulator = FirestoreEmulator.start(
                EmulatorOptions.builder().heap("2g").jvmOptions().build())) {
            for (int round = 0; round <= rounds; round++) {
                System.out.println(round == 0 ? "warm-up" : "round " + round + " of " + rounds);
                run(emulator, names, bench -> bench.move(false));
                run(emulator, names, bench -> bench.move(true));
                run(emulator, names, MoveNames::moveByAppends);
            }
        }
    }

    private interface Benchmark {
        void run(MoveNames bench) throws InterruptedException;
    }

    private static void run(FirestoreEmulator emulator, int names, Benchmark benchmark) throws Exception {
        Firestore client = emulator.connect("demo-" + UUID.randomUUID());
        try (StubDatastore store = StubDatastore.open(Map.of(), 0)) {
            store.enterThread();
            benchmark.run(new MoveNames(client, names));
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

    private void fill(int entries) {
        Counters source = Counters.over(datastore());
        for (int name = 0; name < names; name++) {
            for (int i = 0; i < entries; i++) {
                source.sequence(prefix + name).append(Map.of("customer", "c-" + i, "total", (long) i));
            }
        }
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
            throw new IllegalStateException("not all names were moved: " + report);
        }
        if (isCopying) {
            System.out.printf(
                    "with %d entries each: %.1f names/s, %.0f entries/s%n",
                    ENTRIES, names / seconds, report.sequences().copied() / seconds);
        } else {
            System.out.printf("without entries: %.1f names/s%n", names / seconds);
        }
    }

    /** Appends to each sequence three times; the second append moves it. */
    private void moveByAppends() {
        fill(2);
        Rollout rollout = Rollout.at(0);
        Counters counters = Counters.over(migrating(rollout));
        long[] before = new long[names];
        long[] during = new long[names];
        long[] after = new long[names];
        for (int i = 0; i < names; i++) {
            rollout.set(0);
            before[i] = append(counters, prefix + i);
            rollout.set(100);
            during[i] = append(counters, prefix + i);
            after[i] = append(counters, prefix + i);
        }
        System.out.printf("an append before the move: %s%n", describe(before));
        System.out.printf("an append that moves its sequence: %s%n", describe(during));
        System.out.printf("an append after the move: %s%n", describe(after));
    }

    private static long append(Counters counters, String name) {
        long start = System.nanoTime();
        counters.sequence(name).append(Map.of("customer", "c"));
        return System.nanoTime() - start;
    }

    private static String describe(long[] nanos) {
        Statistics millis = Statistics.ofNanos(nanos);
        return String.format(
                "p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                millis.median(), millis.percentile(0.99), millis.percentile(1));
    }
}
