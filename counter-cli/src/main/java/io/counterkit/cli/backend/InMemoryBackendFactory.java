package io.counterkit.cli.backend;

import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.counterkit.inmemory.guice.InMemoryCounterModule;

/** Counters in the memory of the command itself. */
public final class InMemoryBackendFactory implements BackendFactory {
    @Override
    public String name() {
        return "inmemory";
    }

    @Override
    public String description() {
        return "in the memory of this process, gone when it ends; with faults";
    }

    @Override
    public boolean keeps() {
        return false;
    }

    @Override
    public Module module() {
        return Modules.combine(
                new InMemoryCounterModule(),
                binder -> binder.bind(FaultSource.class).to(InMemoryFaults.class));
    }
}
