package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.counterkit.datastore.local.internal.store.DataDirectory;
import io.counterkit.datastore.local.internal.store.Uninterruptibly;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each outcome that a process reported is true for the next process. Each attack runs a few times in the
 * build; {@code -Dcounterkit.attack.rounds=100} runs it longer.
 */
@Tag("exhaustive")
class AttackTest {
    private static final int ROUNDS = Integer.getInteger("counterkit.attack.rounds", 2);
    private static final long SEED =
            Long.getLong("counterkit.seed", RandomGenerator.getDefault().nextLong());

    @TempDir
    Path parent;

    @Test
    void interruptsAndKillsLoseNothing() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Path directory = parent.resolve("killed" + round);
            RecordedOutcomes outcomes = new RecordedOutcomes();
            for (int run = 0; run < 2; run++) {
                try (ChildJvm writers =
                        ChildJvm.start(Writers.class, directory.toString(), "EACH_COMMIT", SEED + round + "", "true")) {
                    writers.awaitLines("a", 60);
                    outcomes.add(writers.kill());
                }
            }
            assertThat(outcomes.count("applied")).as("seed %d", SEED).isGreaterThan(100);
            outcomes.check(directory);
        }
    }

    @Test
    void fullDiskLosesNothing() throws Exception {
        assumeThat(File.separatorChar).as("a shell with ulimit").isEqualTo('/');
        for (int round = 0; round < ROUNDS; round++) {
            Path directory = parent.resolve("full" + round);
            RecordedOutcomes outcomes = new RecordedOutcomes();
            List<String> lines;
            try (ChildJvm writers = ChildJvm.startWithFilesUpTo(
                    24 + 8 * round, Writers.class, directory.toString(), "EACH_COMMIT", SEED + "", "false")) {
                lines = writers.awaitEnd();
            }
            outcomes.add(lines);
            outcomes.check(directory);
            assertThat(lines)
                    .as("%s", lines)
                    .anyMatch(line -> line.startsWith("unknown ")
                            && line.contains(directory.resolve("datastore.bin").toString())
                            && line.contains("open it again"));
            assertThat(lines).anyMatch(line -> line.startsWith("not closed: "));
            assertThat(outcomes.count("applied")).isPositive();
        }
    }

    @Test
    void terminationOfABusyProcessLosesNothing() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Path directory = parent.resolve("ended" + round);
            RecordedOutcomes outcomes = new RecordedOutcomes();
            try (ChildJvm writers =
                    ChildJvm.start(Terminated.class, directory.toString(), "EACH_COMMIT", SEED + "", "false")) {
                writers.awaitLines("a", 30);
                writers.terminate();
                writers.awaitLines("a", 60);
                outcomes.add(writers.kill());
            }
            outcomes.check(directory);
        }
    }

    /** Writers that run during a shutdown of the JVM that does not end by itself. */
    static final class Terminated {
        private Terminated() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Uninterruptibly.join(Thread.currentThread())));
            Writers.main(arguments);
        }
    }

    @Test
    void directoryStaysHeldAfterASecondAttemptOfItsProcess() throws Exception {
        Path directory = parent.resolve("held");
        try (LocalDatastore held = LocalDatastore.open(directory, Durability.EACH_COMMIT)) {
            assertThat(held.abandonedBy()).isNull();
            org.assertj.core.api.Assertions.assertThatExceptionOfType(DirectoryInUseException.class)
                    .isThrownBy(() -> DataDirectory.open(directory));
            try (ChildJvm other = ChildJvm.start(Writers.class, directory.toString(), "EACH_COMMIT", "1", "false")) {
                assertThat(String.join("\n", other.awaitEnd())).contains("DirectoryInUseException");
            }
        }
    }
}
