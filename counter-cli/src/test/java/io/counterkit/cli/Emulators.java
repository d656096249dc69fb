package io.counterkit.cli;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import io.counterkit.datastore.fixture.DatastoreEmulator;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** The emulators that the tests of this JVM share. They end with the JVM. */
public final class Emulators {
    private static @Nullable DatastoreEmulator datastore;

    private Emulators() {}

    /** Returns the address of Firestore's emulator. */
    public static String firestore() {
        return Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
    }

    /** Returns the address of the Datastore's emulator, whose queries see every write. */
    public static synchronized String datastore() {
        if (datastore == null) {
            datastore =
                    Prerequisite.required(() -> DatastoreEmulator.start("--store_on_disk=false", "--consistency=1.0"));
        }
        return datastore.hostAndPort();
    }

    /** Creates a client of the Datastore's emulator, as an application has one. */
    public static Datastore datastore(String project) {
        return DatastoreOptions.newBuilder()
                .setProjectId(project)
                .setHost("http://" + datastore())
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
    }

    /** Lets an example of the docs run on the emulators: those without an address, and {@code --project my-project}. */
    public static String inExample(String command) {
        boolean isDatastore = command.contains("--backend datastore");
        String emulator = "--emulator " + Matcher.quoteReplacement(isDatastore ? datastore() : firestore());
        return command.replaceFirst("--project my-project|--emulator( localhost:80[0-9]+)?(?= --|$)", emulator)
                .replaceFirst("--to-emulator( localhost:80[0-9]+)?(?= --|$)", "--to-emulator " + firestore());
    }
}
