package io.counterkit.datastore.internal.chain;

import io.counterkit.CounterException;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.datastore.internal.store.StoreClient;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.spi.Call;
import io.counterkit.spi.RecentlyUsed;
import io.counterkit.spi.Result;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds the tails of chains. The article queries for the newest number each time. Here a process queries only for its
 * first hint; later the highest number that it has seen is the hint, since entries are never deleted. From the hint on,
 * entries are read by key, which is strongly consistent even if queries lag. Thread-safe.
 */
public final class TailFinder {
    private static final Logger LOG = System.getLogger(TailFinder.class.getPackageName());
    private static final int MOST_HINTS = 10_000;

    private final StoreClient client;
    private final DatastoreKeys keys;

    /** An existing number of each chain, which may not be the last one. */
    private final RecentlyUsed<ChainName, Long> hints = new RecentlyUsed<>(MOST_HINTS);

    TailFinder(StoreClient client, DatastoreKeys keys) {
        this.client = client;
        this.keys = keys;
    }

    /** Returns a number that exists, as high as can be found in one call; 0 if none is known. */
    public long hint(ChainName chain, Call call) {
        Long seen = hints.get(chain);
        return seen == null ? queryNewest(chain, call) : seen;
    }

    /** Remembers that the entry of this number exists. */
    public void setSeen(ChainName chain, long number) {
        Long seen = hints.get(chain);
        if (number > (seen == null ? 0 : seen)) {
            hints.put(chain, number);
        }
    }

    /** Returns the tail of one chain. */
    public ChainTail find(ChainName chain, Call call) {
        return find(chain, hint(chain, call), call);
    }

    /** Returns the tail of a chain. Searches from a number that exists, or from 0. */
    public ChainTail find(ChainName chain, long low, Call call) {
        return Objects.requireNonNull(
                        find(Map.of(chain, new Probe(chain, low)), call).get(chain))
                .orThrow();
    }

    /** Returns the tails of many chains, in few calls. A chain that cannot be read has its own failure. */
    public Map<ChainName, Result<ChainTail>> find(Collection<ChainName> chains, Call call) {
        Map<ChainName, Probe> probes = new LinkedHashMap<>();
        for (ChainName chain : chains) {
            Long seen = hints.get(chain);
            boolean hasHint = seen != null || chains.size() == 1;
            probes.put(chain, new Probe(chain, hasHint ? hint(chain, call) : 0)); // no query per chain
        }
        return find(probes, call);
    }

    private Map<ChainName, Result<ChainTail>> find(Map<ChainName, Probe> probes, Call call) {
        Map<ChainName, Result<ChainTail>> tails = new LinkedHashMap<>();
        while (tails.size() < probes.size()) {
            Map<ChainName, List<Long>> asked = new LinkedHashMap<>();
            List<StoreKey> read = new ArrayList<>();
            probes.forEach((chain, probe) -> {
                if (tails.containsKey(chain)) {
                    return;
                }
                List<Long> numbers = probe.next();
                if (numbers.isEmpty()) {
                    setSeen(chain, probe.tail().number());
                    tails.put(chain, Result.of(probe.tail()));
                } else {
                    asked.put(chain, numbers);
                    numbers.forEach(number -> read.add(keys.entry(chain, number)));
                }
            });
            Map<StoreKey, StoreEntity> found = client.getAll(read, call);
            asked.forEach((chain, numbers) -> {
                try {
                    Objects.requireNonNull(probes.get(chain))
                            .accept(numbers, number -> ChainEntry.find(keys, chain, number, found));
                } catch (CounterException e) {
                    tails.put(chain, Result.failed(e));
                }
            });
        }
        return tails;
    }

    /**
     * Step 1 of the article. Returns 0 if the query fails, as it does on some stores if there is no entry. The result
     * may be stale, since it is only a hint.
     */
    private long queryNewest(ChainName chain, Call call) {
        try {
            List<StoreEntity> newest = client.query(keys.newestFirst(chain), 1, call);
            if (newest.isEmpty()) {
                return 0;
            }
            ChainEntry entry = ChainEntry.read(keys, chain, newest.get(0));
            return entry.seal() == null ? entry.number() : entry.number() - 1;
        } catch (RuntimeException e) {
            LOG.log(Logger.Level.DEBUG, "the query for the newest number of " + chain + " failed", e);
            return 0;
        }
    }
}
