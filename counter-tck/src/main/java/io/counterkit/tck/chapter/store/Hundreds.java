package io.counterkit.tck.chapter.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Makes many changes, a hundred at a time. */
final class Hundreds {
    private static final int AT_ONCE = 100;

    private Hundreds() {}

    /**
     * Makes one change for each item, and waits for all of them. Returns the average time of a change in the fastest
     * hundred, in nanoseconds: on a busy machine, the others do not show how fast the store is.
     */
    static <T> long change(List<T> items, Function<T, CompletableFuture<?>> change) {
        long fastest = Long.MAX_VALUE;
        for (int from = 0; from < items.size(); from += AT_ONCE) {
            List<T> some = items.subList(from, Math.min(from + AT_ONCE, items.size()));
            long start = System.nanoTime();
            some.stream().map(change).toList().forEach(CompletableFuture::join);
            fastest = Math.min(fastest, (System.nanoTime() - start) / some.size());
        }
        return fastest;
    }
}
