package io.counterkit.examples.likes.browser;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("exhaustive")
class DatastoreEndToEndTest extends EndToEndTest {
    @TempDir
    Path directory;

    @Override
    List<String> options() {
        return List.of("--backend", "datastore", "--data", directory.toString());
    }

    @Override
    boolean isDurable() {
        return true;
    }
}
