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

/** Blocking adds through the whole API, and adds to the JDK's classes for comparison. */
@State(Scope.Benchmark)
public class AddBenchmarks {
    private static final int COUNTERS = 1000;

    private final String[] names =
            IntStream.range(0, COUNTERS).mapToObj(Names::of).toArray(String[]::new);
    private final AtomicLong number = new AtomicLong();
    private final AtomicLong[] numbers =
            Stream.generate(AtomicLong::new).limit(COUNTERS).toArray(AtomicLong[]::new);
    private final ConcurrentMap<String, AtomicLong> numbersByName = new ConcurrentHashMap<>();
    private final Counters counters = Counters.over(InMemoryBackend.create());
    private final Counter counter = counters.counter(Names.of(42));
    private final Counter[] handles = Stream.of(names).map(counters::counter).toArray(Counter[]::new);

    /** Adds to one bare number. */
    @Benchmark
    public long atomicLong() {
        return number.addAndGet(1);
    }

    /** Adds to one counter. */
    @Benchmark
    public void counter() {
        counter.add(1);
    }

    /** Adds to one of 1,000 bare numbers, by index. */
    @Benchmark
    public long atomicLongArray(Picks picks) {
        return numbers[picks.next()].addAndGet(1);
    }

    /** Adds to one of 1,000 bare numbers, by name. */
    @Benchmark
    public long concurrentHashMap(Picks picks) {
        String name = names[picks.next()];
        AtomicLong found = numbersByName.get(name);
        if (found == null) {
            found = numbersByName.computeIfAbsent(name, absent -> new AtomicLong());
        }
        return found.addAndGet(1);
    }

    /** Adds to one of 1,000 counters. */
    @Benchmark
    public void counters(Picks picks) {
        handles[picks.next()].add(1);
    }

    /** Closes the counters. */
    @TearDown
    public void close() {
        counters.close();
    }

    /** Random indexes, drawn in advance, since drawing one costs as much as an add. */
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
