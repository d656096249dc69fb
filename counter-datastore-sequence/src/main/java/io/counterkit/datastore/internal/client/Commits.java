package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.spi.Call;
import org.jspecify.annotations.Nullable;

/** The commits of one change that is tried again and again: what may have become of those that were sent. */
public final class Commits {
    private final DatastoreClient store;
    private final Call call;
    private boolean mayLand;
    private @Nullable Transaction lost;

    public Commits(DatastoreClient store, Call call) {
        this.store = store;
        this.call = call;
    }

    /** Begins the next transaction; in the stead of one whose commit got lost, as the store is told. */
    public Transaction begin() {
        Transaction transaction = store.begin(lost, call);
        lost = null;
        return transaction;
    }

    /** Commits; if that throws, it may have been applied all the same, or may be yet, unless the store refused. */
    public void send(Transaction transaction) {
        boolean mightBefore = mayLand;
        mayLand = true;
        lost = transaction;
        try {
            store.commit(transaction, call);
            lost = null;
        } catch (RuntimeException e) {
            mayLand = mightBefore || DatastoreErrors.of(e) != DatastoreErrors.REFUSED;
            throw e;
        }
    }

    /** Takes in that something was applied under the tokens of the change. */
    public void landed() {
        mayLand = true;
    }

    /** Takes in that none of those that were sent was applied, and none can be any more. */
    public void missed() {
        mayLand = false;
    }

    /** Whether one was sent that may have been applied, or may be yet. */
    public boolean mayLand() {
        return mayLand;
    }
}
