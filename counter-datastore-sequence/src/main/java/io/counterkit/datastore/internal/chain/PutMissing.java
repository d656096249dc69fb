package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.datastore.internal.client.Commits;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.spi.Call;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Puts what is missing; what is there stays as it is, looked at in the same transaction. Many are put in several
 * transactions, one after another.
 */
public final class PutMissing implements RetryLoop.Attempt<Boolean> {
    private final DatastoreClient store;
    private final List<Entity> wanted;
    private final Predicate<Entity> isThere;
    private final Call call;
    private final Commits commits;
    private int done;
    private boolean isSomeApplied;

    /** @param isThere whether what is stored under the key is what is wanted, and not a place for it */
    public PutMissing(DatastoreClient store, List<Entity> wanted, Predicate<Entity> isThere, Call call) {
        this.store = store;
        this.wanted = wanted;
        this.isThere = isThere;
        this.call = call;
        this.commits = new Commits(store, call);
    }

    @Override
    public Boolean run() {
        while (done < wanted.size()) {
            List<Entity> next = wanted.subList(done, Math.min(done + ChainWriter.MOST_GROUPS, wanted.size()));
            fill(next);
            done += next.size();
        }
        return true;
    }

    private void fill(List<Entity> next) {
        Transaction transaction = null;
        try {
            transaction = commits.begin();
            List<Key> keys = next.stream().map(Entity::getKey).toList();
            Map<Key, Entity> stored = store.get(transaction, keys, call);
            List<Entity> missing = next.stream()
                    .filter(entity -> {
                        Entity there = stored.get(entity.getKey());
                        return there == null || !isThere.test(there);
                    })
                    .toList();
            if (!missing.isEmpty()) {
                store.put(transaction, missing, call);
                commits.send(transaction);
                isSomeApplied = true;
            }
        } finally {
            store.end(transaction, call);
        }
    }

    /** Also when some of many were put, and what failed came later. */
    @Override
    public boolean mayLand() {
        return isSomeApplied || commits.mayLand();
    }
}
