package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Two processes on one store. Faults hit the calls of one process; the other one reads the stored state.
 *
 * @param acting the process whose calls are disturbed
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

    /** Returns a new commit with a long deadline. */
    public Commit commit() {
        return commits.get();
    }

    /** Returns a new commit of the acting side, whose deadline may be short. */
    public Commit actingCommit() {
        return actingCommits.get();
    }

    /** Creates a counter with this total and returns its name. */
    public String counter(long total) {
        String name = name();
        observing.counter(name).add(total);
        return name;
    }

    /** Checks that a change and a read of each kind work in the acting process. */
    public void assertWorks(String after) {
        Counter counter = acting.counter(name());
        Sequence sequence = acting.sequence(name());
        assertThat(catchThrowable(() -> {
                    counter.add(2);
                    sequence.next();
                    assertThat(counter.get()).isEqualTo(2);
                    assertThat(sequence.tail().last()).isOne();
                }))
                .as("the failure of an add, an append and reads after %s", after)
                .isNull();
        assertThat(catchThrowable(() -> {
                    List<String> names = List.of(counter.name());
                    Futures.join(actingBackend.counters().read(names, Duration.ZERO, actingCommits.get()));
                    if (acting.capabilities().contains(Capability.IMPORT)) {
                        Futures.join(actingBackend.migration().bases(Kind.COUNTER, names, actingCommits.get()));
                    }
                }))
                .as("the failure of reads below the API layer after %s", after)
                .isNull();
    }
}
