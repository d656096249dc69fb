package io.counterkit.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.MemoryBackend;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.cli.google.DatastoreBackendFactory;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that move names to a local Datastore. */
class MigrateToDatastoreTest {
    private final InMemoryStore source = InMemoryStore.create();
    private final Counters before = Counters.over(InMemoryBackend.over(source));

    @TempDir
    Path directory;

    private CommandRun run(String command) {
        return CommandRun.on(
                Backends.of(new MemoryBackend("old", source), new DatastoreBackendFactory()),
                InputStream.nullInputStream(),
                new Interrupt(),
                words(command));
    }

    private String[] words(String command) {
        return Arrays.stream(command.split(" "))
                .map(word -> word.equals("DIR") ? directory.toString() : word)
                .toArray(String[]::new);
    }

    private String ok(String command) {
        CommandRun run = run(command);
        assertThat(run.exitCode()).as("%s: %s%s", command, run.out(), run.err()).isZero();
        return run.out();
    }

    @Test
    void countersAndSequencesMoveWithTheirEntries() {
        before.counter("likes").add(41);
        for (long n = 1; n <= 130; n++) {
            before.sequence("orders").append(Map.of("n", n));
        }

        assertThat(ok("migrate --from old --to datastore --data DIR --copy-entries"))
                .contains("moved 2 names and 130 entries in");
        assertThat(ok("migrate --from old --to datastore --data DIR --copy-entries"))
                .contains("moved 0 names and 0 entries in");

        assertThat(
                        ok(
                                "migrate --from old --to datastore --data DIR --verify --copy-entries --all-entries --quiet-target"))
                .contains("compared 1 counter, 1 sequence and 130 entries in ", "nothing differs");
        assertThat(ok("get likes --backend datastore --data DIR")).isEqualTo("41\n");
        assertThat(ok("next orders --backend datastore --data DIR")).isEqualTo("131\n");
        assertThat(ok("erase orders 7 --backend datastore --data DIR")).isNotEmpty();
        assertThat(run("migrate --from old --to datastore --data DIR --verify --copy-entries --all-entries")
                        .out())
                .contains("orders", "entry 7");
        assertThat(before.sequence("orders").tail().seal().forward()).isEqualTo("datastore");
    }

    /** Moves sequences back from Firestore. */
    @Test
    void sequencesMoveFromFirestore() {
        String firestore = " --project demo-" + UUID.randomUUID() + " --emulator "
                + Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        for (int i = 1; i <= 3; i++) {
            okOnAll("append orders customer=c-" + i + " --backend firestore" + firestore);
        }
        String migrate = "migrate --from firestore --to datastore --data DIR --copy-entries" + firestore;

        assertThat(okOnAll(migrate)).contains("moved 1 name and 3 entries in");

        assertThat(okOnAll(migrate + " --verify --all-entries")).contains("nothing differs");
        assertThat(okOnAll("next orders --backend datastore --data DIR")).isEqualTo("4\n");
        assertThat(okOnAll("entries orders --backend datastore --data DIR").lines())
                .hasSize(4);
    }

    private String okOnAll(String command) {
        CommandRun run = CommandRun.of(words(command));
        assertThat(run.exitCode()).as("%s: %s%s", command, run.out(), run.err()).isZero();
        return run.out();
    }

    @Test
    void sourceThatDoesNotExist_isRefusedAndNotCreated() {
        Path absent = directory.resolve("absent");
        for (String command : List.of("--dry-run", "--verify", "--copy-entries")) {
            CommandRun run = run("migrate --from datastore --data " + absent + " --to old " + command);

            assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
            assertThat(run.err()).startsWith("counter: there is no directory " + absent + ": name another with --data");
            assertThat(absent).doesNotExist();
        }
    }

    @Test
    void twoLocalDatastoresAtOnce_areRefused() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        CommandRun run = run("migrate --from datastore --to datastore --origin a --forward b --from-data DIR"
                + " --to-data " + other);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("source and target cannot both be a local Datastore");
    }
}
