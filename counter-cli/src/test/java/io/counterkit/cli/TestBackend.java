package io.counterkit.cli;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.spi.CounterBackend;

/** A backend that a test has made. */
public record TestBackend(CounterBackend backend) implements BackendFactory {
    @Override
    public String name() {
        return "inmemory";
    }

    @Override
    public String description() {
        return "of a test";
    }

    @Override
    public OpenBackend open(Opening opening) {
        return () -> backend;
    }
}
