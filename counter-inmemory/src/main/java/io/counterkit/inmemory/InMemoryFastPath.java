package io.counterkit.inmemory;

import io.counterkit.spi.CounterStore.FastPath;
import org.jspecify.annotations.Nullable;

/** Adds to one counter without looking its cell up each time. */
final class InMemoryFastPath implements FastPath {
    private final String name;
    private final CounterTable counters;
    private final FaultGate line;

    /** The cell that was found last. It may be closed, which it says, and any thread may see an older one. */
    private @Nullable CounterCell cell;

    InMemoryFastPath(String name, CounterTable counters, FaultGate line) {
        this.name = name;
        this.counters = counters;
        this.line = line;
    }

    @Override
    public boolean tryAdd(long delta) {
        if (!line.isClear()) {
            return false;
        }
        CounterCell last = cell;
        if (last != null && last.isAdded(delta)) {
            return true;
        }
        CounterCell found = counters.cell(name);
        cell = found;
        return found.isAdded(delta);
    }
}
