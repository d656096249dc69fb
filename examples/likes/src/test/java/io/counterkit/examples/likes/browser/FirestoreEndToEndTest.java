package io.counterkit.examples.likes.browser;

import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class FirestoreEndToEndTest extends EndToEndTest {
    @Override
    List<String> options() {
        String emulator = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        return List.of("--backend", "firestore", "--emulator", emulator, "--project", "demo-" + UUID.randomUUID());
    }

    @Override
    boolean isDurable() {
        return true;
    }
}
