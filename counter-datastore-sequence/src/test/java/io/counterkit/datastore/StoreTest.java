package io.counterkit.datastore;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.Query;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/** What tests on a local Datastore share. */
public abstract class StoreTest {
    public final LocalStore store;
    public final DatastoreService datastore = DatastoreServiceFactory.getDatastoreService();

    public StoreTest() {
        this(LocalStore.strong(DatastoreSequenceOptions.defaults()));
    }

    public StoreTest(LocalStore store) {
        this.store = store;
    }

    @AfterEach
    void closeStore() {
        try {
            store.delegate().assertAllTransactionsAreEnded();
        } finally {
            store.close();
        }
    }

    /** How many entities of a kind there are. */
    public final int count(String kind) {
        return datastore
                .prepare(null, new Query(kind).setKeysOnly())
                .countEntities(FetchOptions.Builder.withDefaults());
    }

    /** One more process. */
    public static DatastoreSequenceBackend backend() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults());
    }

    public static Counters counters() {
        return Counters.over(backend());
    }

    public static Commit commit() {
        return new Commit(Duration.ofSeconds(20), new Random(), CountersListener.disabled());
    }
}
