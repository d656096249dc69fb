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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;

/** A test on a local Datastore. */
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

    /** Counts the entities of a kind. */
    public final int count(String kind) {
        return datastore
                .prepare(null, new Query(kind).setKeysOnly())
                .countEntities(FetchOptions.Builder.withDefaults());
    }

    /** Creates the backend of another process. */
    public static DatastoreSequenceBackend backend() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults());
    }

    /** Creates the backend of another process that finds the tails of chains without queries. */
    public static DatastoreSequenceBackend probingBackend() {
        return DatastoreSequenceBackend.create(WithoutTailQueries.service(), DatastoreSequenceOptions.defaults());
    }

    public static Counters counters() {
        return Counters.over(backend());
    }

    /** Returns the result of a completed call, or throws its failure. */
    public static <T> T join(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    public static Commit commit() {
        return new Commit(Duration.ofSeconds(20), new Random(), CountersListener.disabled());
    }
}
