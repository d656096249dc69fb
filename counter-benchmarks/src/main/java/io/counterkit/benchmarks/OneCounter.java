package io.counterkit.benchmarks;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A blocking add to one counter that all threads share, through the whole API, against a bare {@link AtomicLong}. */
@State(Scope.Benchmark)
public class OneCounter {
    private final AtomicLong number = new AtomicLong();
    private final Counters counters = Counters.over(InMemoryBackend.create());
    private final Counter counter = counters.counter(Names.of(42));

    /** The yardstick. */
    @Benchmark
    public long raw() {
        return number.addAndGet(1);
    }

    /** The same by name, with checks, deadline, queue limit, outcome. */
    @Benchmark
    public void ours() {
        counter.add(1);
    }

    /** Ends the run. */
    @TearDown
    public void close() {
        counters.close();
    }
}
