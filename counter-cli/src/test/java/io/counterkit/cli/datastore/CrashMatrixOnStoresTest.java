package io.counterkit.cli.datastore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.cli.migrate.CrashTrial;
import io.counterkit.cli.migrate.Move;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The batch job from the local Datastore to Firestore's emulator, to which something happens at each of its store calls
 * in turn.
 */
@Tag("exhaustive")
class CrashMatrixOnStoresTest {
    @TempDir
    Path directory;

    private LocalDatastore datastore;
    private Firestore firestore;

    @BeforeEach
    void open() {
        firestore = Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
        datastore = LocalDatastore.open(directory.resolve("data"), Durability.WHEN_CLOSED);
    }

    @AfterEach
    void close() throws Exception {
        datastore.close();
        firestore.close();
    }

    @ParameterizedTest
    @CsvSource({
        "KILLED_AFTER, '', 15",
        "REPLY_LOST, source, 8",
        "REPLY_LOST, target, 8",
        "NOT_APPLIED, source, 8",
        "NOT_APPLIED, target, 8"
    })
    void faultInAnyCall_losesAndRepeatsNothing(Fate fate, String side, int leastCalls) throws Exception {
        CrashTrial.runAll(
                fate,
                side,
                leastCalls,
                () -> new Move(datastore::backend, () -> FirestoreCounterBackend.create(firestore)));
    }
}
