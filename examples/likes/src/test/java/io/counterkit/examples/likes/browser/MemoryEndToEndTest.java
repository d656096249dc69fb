package io.counterkit.examples.likes.browser;

import java.util.List;

class MemoryEndToEndTest extends EndToEndTest {
    @Override
    List<String> options() {
        return List.of();
    }

    @Override
    boolean isDurable() {
        return false;
    }
}
