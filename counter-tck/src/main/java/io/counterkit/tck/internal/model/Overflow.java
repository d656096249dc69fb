package io.counterkit.tck.internal.model;

import io.counterkit.Counter;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Adds 512 of the largest deltas to a counter, which reaches the bounds of a readable total, ±2^62. */
public final class Overflow {
    /** The number of adds that are sent at a time: a store that keeps each of them needs many commits. */
    private static final int AT_ONCE = 128;

    private Overflow() {}

    /** Adds 2^62, the largest readable total. */
    public static void toTheTop(Counter counter) {
        add(counter, Limits.MAX_DELTA);
    }

    /** Adds −2^62, the smallest readable total. */
    public static void toTheBottom(Counter counter) {
        add(counter, -Limits.MAX_DELTA);
    }

    /** Adds 2^62 + 1. */
    public static void above(Counter counter) {
        toTheTop(counter);
        counter.add(1);
    }

    private static void add(Counter counter, long delta) {
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (long left = Limits.MAX_TOTAL; left > 0; left -= Limits.MAX_DELTA) {
            adds.add(counter.async().add(delta));
            if (adds.size() == AT_ONCE || left == Limits.MAX_DELTA) {
                adds.forEach(CompletableFuture::join);
                adds.clear();
            }
        }
    }
}
