package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Transaction;
import com.google.appengine.api.datastore.TransactionOptions;
import java.util.ConcurrentModificationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisturbedDelegateTest extends StoreTest {
    /** Otherwise the local Datastore refuses each later commit to what that transaction had read. */
    @Test
    void lostRollbackAfterAConflictBlocksNoOtherTransaction() {
        Transaction loser = datastore.beginTransaction(TransactionOptions.Builder.withXG(true));
        assertThat(datastore.get(loser, List.of(KeyFactory.createKey("Read", "r"))))
                .isEmpty();
        put("Read", "r");
        assertThatThrownBy(() -> datastore.put(loser, new Entity("Other", "o")))
                .isInstanceOf(ConcurrentModificationException.class);

        store.delegate()
                .disturb(method ->
                        method.equals("Rollback") ? Disturbance.failBefore(Disturbance.StoreError.RPC_FAILED) : null);
        loser.rollback();
        store.delegate().release();

        put("Read", "r");
        assertThat(count("Read")).isEqualTo(1);
    }

    private void put(String kind, String name) {
        Transaction winner = datastore.beginTransaction();
        datastore.put(winner, new Entity(kind, name));
        winner.commit();
    }
}
