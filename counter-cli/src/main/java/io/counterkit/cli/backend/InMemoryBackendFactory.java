package io.counterkit.cli.backend;

import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.soak.FaultSource;
import io.counterkit.spi.CounterBackend;

/** Counters in the memory of the command. */
public final class InMemoryBackendFactory implements BackendFactory {
    @Override
    public String name() {
        return "inmemory";
    }

    @Override
    public String description() {
        return "in the memory of this process, until it ends";
    }

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
        CounterBackend backend = InMemoryBackend.over(store);
        FaultSource faults = new InMemoryFaults(store.faults());
        return new OpenBackend() {
            @Override
            public CounterBackend backend() {
                return backend;
            }

            @Override
            public FaultSource faults() {
                return faults;
            }
        };
    }
}
