package io.counterkit.examples.likes.browser;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

class SqliteEndToEndTest extends EndToEndTest {
    @TempDir
    Path directory;

    @Override
    List<String> options() {
        return List.of("--file", directory.resolve("likes.db").toString());
    }

    @Override
    boolean isDurable() {
        return true;
    }
}
