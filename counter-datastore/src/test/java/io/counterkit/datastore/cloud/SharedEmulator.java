package io.counterkit.datastore.cloud;

import io.counterkit.datastore.DatastoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The Datastore emulator with fresh queries that the tests of this JVM share. It ends with the JVM. */
final class SharedEmulator {
    private static @Nullable DatastoreEmulator emulator;

    private SharedEmulator() {}

    static synchronized String hostAndPort() {
        if (emulator == null) {
            emulator = Prerequisite.required(
                    () -> DatastoreEmulator.start("--store_on_disk=false", "--consistency=1.0", "--require_indexes"));
        }
        return emulator.hostAndPort();
    }

    static CloudStore store() {
        return CloudStore.at(hostAndPort(), Duration.ZERO, Duration.ofMinutes(1));
    }
}
