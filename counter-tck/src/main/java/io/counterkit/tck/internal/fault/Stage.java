package io.counterkit.tck.internal.fault;

import io.counterkit.Counters;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Two processes on one store. Faults hit the calls of one process; the other one reads the stored state.
 *
 * @param acting the process whose calls faults hit
 * @param actingBackend a backend of the acting side without the API layer
 * @param observing another process
 * @param observingBackend a backend of the observing side without the API layer
 * @param names returns a name that was never used
 * @param commits returns a new commit with a long deadline
 * @param actingCommits returns a new commit of the acting side, whose deadline may be short
 * @param lists repeats an assertion on the store's lists until it passes or their lag is over
 */
public record Stage(
        Counters acting,
        CounterBackend actingBackend,
        Counters observing,
        CounterBackend observingBackend,
        Supplier<String> names,
        Supplier<Commit> commits,
        Supplier<Commit> actingCommits,
        Consumer<Runnable> lists) {
    /** Returns a name that was never used. */
    public String name() {
        return names.get();
    }

    /** Creates a counter with this total and returns its name. */
    public String counter(long total) {
        String name = name();
        observing.counter(name).add(total);
        return name;
    }
}
