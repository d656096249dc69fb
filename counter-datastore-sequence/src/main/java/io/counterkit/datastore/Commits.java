package io.counterkit.datastore;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.spi.Call;
import org.jspecify.annotations.Nullable;

/** The commits of one change that is tried again and again: what may have become of those that were sent. */
final class Commits {
    private final Store store;
    private final Call call;
    private boolean mayLand;
    private @Nullable Transaction lost;

    Commits(Store store, Call call) {
        this.store = store;
        this.call = call;
    }

    /** Begins the next transaction; in the stead of one whose commit got lost, as the store is told. */
    Transaction begin() {
        Transaction transaction = store.begin(lost, call);
        lost = null;
        return transaction;
    }

    /** Commits; if that throws, it may have been applied all the same, or may be yet, unless the store refused. */
    void send(Transaction transaction) {
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
    void landed() {
        mayLand = true;
    }

    /** Takes in that none of those that were sent was applied, and none can be any more. */
    void missed() {
        mayLand = false;
    }

    /** Whether one was sent that may have been applied, or may be yet. */
    boolean mayLand() {
        return mayLand;
    }
}
