package io.counterkit.tck.internal.model;

import io.counterkit.Counter;
import io.counterkit.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Brings a counter to the bounds of what can be read, ±2^62, with 512 of the largest deltas. */
public final class Overflow {
    private Overflow() {}

    /** Just within: 2^62. */
    public static void toTheTop(Counter counter) {
        add(counter, Limits.MAX_DELTA);
    }

    /** Just within: −2^62. */
    public static void toTheBottom(Counter counter) {
        add(counter, -Limits.MAX_DELTA);
    }

    /** One beyond the top. */
    public static void above(Counter counter) {
        toTheTop(counter);
        counter.add(1);
    }

    private static void add(Counter counter, long delta) {
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (long left = Limits.MAX_TOTAL; left > 0; left -= Limits.MAX_DELTA) {
            adds.add(counter.async().add(delta));
        }
        adds.forEach(CompletableFuture::join);
    }
}
