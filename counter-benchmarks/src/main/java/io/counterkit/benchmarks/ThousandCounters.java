package io.counterkit.benchmarks;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A blocking add to one of 1,000 counters, picked at random, through the whole API, against a bare {@link AtomicLong}
 * out of an array and against one looked up by name in a map.
 */
@State(Scope.Benchmark)
public class ThousandCounters {
    private static final int COUNTERS = 1000;

    private final String[] names =
            IntStream.range(0, COUNTERS).mapToObj(Names::of).toArray(String[]::new);
    private final AtomicLong[] numbers =
            Stream.generate(AtomicLong::new).limit(COUNTERS).toArray(AtomicLong[]::new);
    private final ConcurrentMap<String, AtomicLong> numbersByName = new ConcurrentHashMap<>();
    private final Counters counters = Counters.over(InMemoryBackend.create());
    private final Counter[] handles = Stream.of(names).map(counters::counter).toArray(Counter[]::new);

    /** The yardstick. */
    @Benchmark
    public long raw(Picks picks) {
        return numbers[picks.next()].addAndGet(1);
    }

    /** What an application would write itself that counts by name. */
    @Benchmark
    public long map(Picks picks) {
        String name = names[picks.next()];
        AtomicLong number = numbersByName.get(name);
        if (number == null) {
            number = numbersByName.computeIfAbsent(name, absent -> new AtomicLong());
        }
        return number.addAndGet(1);
    }

    /** By name, with checks, deadline, queue limit, outcome. */
    @Benchmark
    public void ours(Picks picks) {
        handles[picks.next()].add(1);
    }

    /** Ends the run. */
    @TearDown
    public void close() {
        counters.close();
    }

    /** Which counter comes next; drawn beforehand, since drawing a number costs as much as an add. */
    @State(Scope.Thread)
    public static class Picks {
        private static final int DRAWN = 4096;

        private final int[] picks =
                ThreadLocalRandom.current().ints(DRAWN, 0, COUNTERS).toArray();
        private int at;

        int next() {
            return picks[at++ & (DRAWN - 1)];
        }
    }
}
