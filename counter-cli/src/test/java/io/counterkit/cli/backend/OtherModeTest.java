package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.Emulators;
import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A store that is not the one that the backend is for: a database of the other mode, or an emulator of the other
 * product.
 */
@Tag("exhaustive")
@Timeout(300)
class OtherModeTest {
    private final String project = "demo-" + UUID.randomUUID();

    private String refusal(String backend, String emulator) {
        CommandRun run =
                CommandRun.of("add", "likes", "--backend", backend, "--emulator", emulator, "--project", project);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).hasSize(1);
        return run.err();
    }

    @Test
    void datastoreOnADatabaseInNativeMode_isRefusedAndNothingIsWritten() throws Exception {
        String emulator = Emulators.firestore();
        assertThat(refusal("datastore", emulator))
                .contains("the database is in Firestore's native mode: use --backend firestore");
        Firestore client = FirestoreEmulator.shared().connect(project);
        List<String> written = new ArrayList<>();
        client.listCollections().forEach(collection -> written.add(collection.getId()));
        client.close();
        assertThat(written).isEmpty();
    }

    @Test
    void firestoreOnADatabaseInDatastoreMode_isRefused() {
        EmulatorOptions options = EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build();
        try (FirestoreEmulator emulator = Prerequisite.required(() -> FirestoreEmulator.start(options))) {
            assertThat(refusal("firestore", emulator.hostAndPort()))
                    .contains("the database is in Datastore mode: use --backend datastore");
            CommandRun run = CommandRun.of(
                    "list", "--backend", "datastore", "--emulator", emulator.hostAndPort(), "--project", project);
            assertThat(run.out()).as(run.err()).isEmpty();
            assertThat(run.exitCode()).isZero();
        }
    }

    @Test
    void firestoreOnTheDatastoresEmulator_isRefused() {
        assertThat(refusal("firestore", Emulators.datastore())).contains("the server there is not a Firestore");
    }
}
