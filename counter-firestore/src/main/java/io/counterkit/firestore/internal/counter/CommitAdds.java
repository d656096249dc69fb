package io.counterkit.firestore.internal.counter;

import io.counterkit.CounterException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Reasons;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The adds of one commit. Used by one thread at a time. */
public final class CommitAdds {
    private final List<AddRequest> requests;
    private final Commit commit;
    private final SortedMap<String, CounterAdd> byName = new TreeMap<>();

    /** Sums the requests to each counter. */
    CommitAdds(List<AddRequest> requests, Commit commit, CounterLoads loads) {
        this.requests = requests;
        this.commit = commit;
        requests.forEach(request -> byName.computeIfAbsent(request.name(), name -> new CounterAdd(name, loads.of(name)))
                .addDelta(request.delta()));
    }

    public List<AddRequest> requests() {
        return requests;
    }

    public Commit commit() {
        return commit;
    }

    /** Returns the names of the counters, in order. */
    public Set<String> names() {
        return byName.keySet();
    }

    /** Returns the adds to the counters, in the order of their names. */
    public Collection<CounterAdd> all() {
        return byName.values();
    }

    /** Returns the add to a counter of this commit. */
    public CounterAdd of(String counter) {
        return Objects.requireNonNull(byName.get(counter));
    }

    /** Returns the operation in words, for messages. */
    public String what() {
        return "adding to " + Reasons.names(names());
    }

    /** Sets the documents of counters, and refuses the adds to those that cannot be changed. */
    void setCounters(Map<String, CounterDocument> counters) {
        counters.forEach((name, counter) -> of(name).setCounter(counter));
    }

    /** Sets the documents that this process remembers, and makes the others unknown. */
    public void recallCounters(CounterCache cache) {
        all().forEach(add -> add.recall(cache.remembered(add.name())));
    }

    /** Returns the adds to counters whose document is not known. */
    public List<CounterAdd> unread() {
        return all().stream().filter(add -> !add.hasCounter()).toList();
    }

    /** Returns whether the commit must not be sent, because a counter refuses its add. */
    public boolean isAnyRefused() {
        return all().stream().anyMatch(add -> add.refusal() != null);
    }

    /** Returns the refusals by the name of the counter; empty if there are none. */
    Map<String, CounterException> refusals() {
        Map<String, CounterException> refusals = new HashMap<>();
        for (CounterAdd add : all()) {
            CounterException refusal = add.refusal();
            if (refusal != null) {
                refusals.put(add.name(), refusal);
            }
        }
        return refusals;
    }

    /**
     * Records that the commit waited for the lock of another writer. The store does not report which counter that
     * concerns, so the conflict counts for the counter with the most recent commits of this process per shard.
     */
    public void conflicted() {
        double most = 0;
        List<CounterLoad> busiest = new ArrayList<>();
        for (CounterAdd add : all()) {
            double commitsPerShard =
                    (double) add.load().lately() / add.counter().shards();
            if (commitsPerShard > most) {
                busiest.clear();
                most = commitsPerShard;
            }
            if (commitsPerShard == most) {
                busiest.add(add.load());
            }
        }
        busiest.forEach(CounterLoad::conflicted);
    }

    /** Records that the commit is sent. */
    public void sent() {
        all().forEach(CounterAdd::sent);
    }

    /** Records the answer to the commit. */
    public void answered(long nanos) {
        all().forEach(add -> add.load().answered(nanos));
    }
}
