package io.counterkit.cli;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A store in memory that outlives the commands on it, under any name. */
public final class MemoryBackend implements BackendFactory {
    private final String name;
    private final InMemoryStore store;

    @Option(names = "--shelf", paramLabel = "SHELF", description = "Must not be 'none'.")
    private @Nullable String shelf;

    public MemoryBackend(String name, InMemoryStore store) {
        this.name = name;
        this.store = store;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return "in the memory of a test";
    }

    @Override
    public boolean keeps() {
        return !"lost".equals(shelf);
    }

    @Override
    public OpenBackend open(Opening opening) {
        if ("none".equals(shelf)) {
            throw new IllegalArgumentException("--shelf none: there is none");
        }
        return () -> InMemoryBackend.over(store);
    }
}
