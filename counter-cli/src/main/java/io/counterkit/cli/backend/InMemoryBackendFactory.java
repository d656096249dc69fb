package io.counterkit.cli.backend;

import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.soak.FaultSource;
import io.counterkit.spi.CounterBackend;
import picocli.CommandLine.Command;

/** Counters in the memory of the command. */
@Command(name = "inmemory", header = "in the memory of this process, until it ends")
public final class InMemoryBackendFactory implements BackendFactory {
    @Override
    public boolean keeps() {
        return false;
    }

    @Override
    public boolean hasFaults() {
        return true;
    }

    @Override
    public OpenBackend open(Opening opening) {
        InMemoryStore store = InMemoryStore.create();
        return new InMemory(InMemoryBackend.over(store), new InMemoryFaults(store.faults()));
    }

    private record InMemory(CounterBackend backend, FaultSource faults) implements OpenBackend {}
}
