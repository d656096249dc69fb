package io.counterkit.datastore.internal.tail;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.CounterException;
import io.counterkit.datastore.TailStrategy;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.spi.Call;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of chains. The article asks a query for the newest number each time; here that gives a first hint in a
 * process, and since existing numbers stay, the highest one that was seen is as good a hint from then on. What follows
 * after the hint is found by reading entries by their keys, which is strong where a query lags.
 */
public final class TailFinder {
    private static final Logger LOG = System.getLogger(TailFinder.class.getPackageName());

    private final DatastoreClient store;
    private final DatastoreSchema schema;
    private final TailStrategy strategy;
    private final TailCache hints = new TailCache();

    public TailFinder(DatastoreClient store, DatastoreSchema schema, TailStrategy strategy) {
        this.store = store;
        this.schema = schema;
        this.strategy = strategy;
    }

    /** A number that exists, as high as can be known cheaply; 0 where there may be none. */
    public long hint(ChainName chain, Call call) {
        Long seen = hints.of(chain);
        if (seen != null) {
            return seen;
        }
        return strategy.queries() ? queried(chain, call) : find(chain, 0, call).number();
    }

    /** Remembers that the entry of this number exists. */
    public void seen(ChainName chain, long number) {
        if (number > 0) {
            hints.seen(chain, number);
        }
    }

    /** The end of one chain. */
    public ChainTail find(ChainName chain, Call call) {
        return find(chain, hint(chain, call), call);
    }

    /** The end of a chain behind a number that exists. */
    public ChainTail find(ChainName chain, long low, Call call) {
        Map<ChainName, Probe> probe = Map.of(chain, probe(chain, low));
        return Objects.requireNonNull(follow(probe, call).get(chain)).orThrow();
    }

    /** The ends of many chains, in few calls. One that cannot be read fails alone. */
    public Map<ChainName, Ending> find(Collection<ChainName> chains, Call call) {
        Map<ChainName, Probe> probes = new LinkedHashMap<>();
        boolean asksEach = chains.size() == 1 || !strategy.probes();
        for (ChainName chain : chains) {
            Long seen = hints.of(chain);
            probes.put(chain, probe(chain, seen != null ? seen : asksEach ? hint(chain, call) : 0));
        }
        return follow(probes, call);
    }

    /** What became of the search for one of many. Exactly one of two. */
    public record Ending(
            @Nullable ChainTail found, @Nullable CounterException failure) {
        public ChainTail orThrow() {
            if (failure != null) {
                throw failure;
            }
            return Objects.requireNonNull(found);
        }
    }

    private Probe probe(ChainName chain, long low) {
        return new Probe(chain, low, !strategy.probes());
    }

    private Map<ChainName, Ending> follow(Map<ChainName, Probe> probes, Call call) {
        Map<ChainName, Ending> endings = new LinkedHashMap<>();
        Map<ChainName, List<Long>> asked = new LinkedHashMap<>();
        while (endings.size() < probes.size()) {
            asked.clear();
            List<Key> keys = new ArrayList<>();
            probes.forEach((chain, probe) -> {
                if (!endings.containsKey(chain)) {
                    List<Long> asks = probe.asks();
                    if (asks.isEmpty()) {
                        seen(chain, probe.found().number());
                        endings.put(chain, new Ending(probe.found(), null));
                    } else {
                        asked.put(chain, asks);
                        asks.forEach(number -> keys.add(schema.entryKey(chain, number)));
                    }
                }
            });
            Map<Key, Entity> read = read(keys, call);
            asked.forEach((chain, numbers) -> {
                try {
                    Objects.requireNonNull(probes.get(chain)).tell(numbers, number -> link(chain, number, read));
                } catch (CounterException e) {
                    endings.put(chain, new Ending(null, e));
                }
            });
        }
        return endings;
    }

    private @Nullable ChainEntry link(ChainName chain, long number, Map<Key, Entity> read) {
        Entity entity = read.get(schema.entryKey(chain, number));
        return entity == null ? null : schema.link(chain, entity);
    }

    /** What exists of any number of keys, each strongly. */
    public Map<Key, Entity> read(List<Key> keys, Call call) {
        Map<Key, Entity> read = new LinkedHashMap<>();
        for (int from = 0; from < keys.size(); from += DatastoreClient.MAX_READ) {
            read.putAll(store.get(
                    null, keys.subList(from, Math.min(from + DatastoreClient.MAX_READ, keys.size())), call));
        }
        return read;
    }

    /**
     * Step 1 of the article: the newest number by a query. It may be stale, and some stores fail where there is nothing
     * to find; it is a hint, so neither matters.
     */
    private long queried(ChainName chain, Call call) {
        try {
            List<Entity> newest = store.query(schema.newest(chain), 1, call);
            if (newest.isEmpty()) {
                return 0;
            }
            ChainEntry link = schema.link(chain, newest.get(0));
            return link.seal() == null ? link.number() : link.number() - 1;
        } catch (RuntimeException e) {
            LOG.log(Logger.Level.DEBUG, "the query for the newest number of " + chain + " failed", e);
            return 0;
        }
    }
}
