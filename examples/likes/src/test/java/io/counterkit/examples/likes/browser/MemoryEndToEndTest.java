package io.counterkit.examples.likes.browser;

import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("exhaustive")
class MemoryEndToEndTest extends EndToEndTest {
    @Override
    List<String> options() {
        return List.of("--backend", "inmemory");
    }

    @Override
    boolean isDurable() {
        return false;
    }
}
