package io.counterkit.tck.internal.fault;

import io.counterkit.Counters;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Two processes on one store: the calls of one are disturbed, the other one looks at what is stored.
 *
 * @param acting the process whose calls are disturbed
 * @param actingBackend the same below the API layer
 * @param observing another process
 * @param observingBackend the same below the API layer
 * @param names returns a name that was never used
 * @param commits returns a new commit with all the time that it needs
 * @param actingCommits returns a new commit of the acting process, which may have less time
 * @param lists repeats an assertion on what the store lists until it holds or the store may not lag any longer
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

    /** Returns the name of a counter with this total. */
    public String counter(long total) {
        String name = name();
        observing.counter(name).add(total);
        return name;
    }
}
