package io.counterkit.datastore.internal.tail;

import io.counterkit.datastore.internal.schema.ChainName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that were seen to exist, the highest of each chain. Never wrong, since nothing is ever deleted; only behind.
 * Bounded: names that were not used for long are forgotten. Thread-safe.
 */
final class TailCache {
    private static final int MOST = 10_000;

    private final Map<ChainName, Long> numbers = new LinkedHashMap<>(16, 0.75f, true);

    synchronized @Nullable Long of(ChainName chain) {
        return numbers.get(chain);
    }

    synchronized void seen(ChainName chain, long number) {
        numbers.merge(chain, number, Math::max);
        if (numbers.size() > MOST) {
            numbers.remove(numbers.keySet().iterator().next());
        }
    }
}
