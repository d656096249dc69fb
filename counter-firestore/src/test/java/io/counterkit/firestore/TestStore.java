package io.counterkit.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A backend, and a plain client without faults or counts that reads what is stored. */
public final class TestStore implements AutoCloseable {
    private final FirestoreFixture fixture;
    private final FirestoreCounterOptions options;
    private final Firestore raw = FirestoreEmulator.shared().connect(FirestoreFixture.PROJECT);
    private final Firestore client;
    private final FirestoreCounterBackend backend;
    private final Counters counters;

    public TestStore(FirestoreCounterOptions options, FirestoreFixture.ClientRetries retries) {
        this.options = options;
        this.fixture = new FirestoreFixture(options, retries);
        this.client = fixture.client();
        this.backend = FirestoreCounterBackend.create(client, options);
        this.counters = Counters.over(backend);
    }

    public TestStore(FirestoreCounterOptions options) {
        this(options, FirestoreFixture.ClientRetries.DEFAULT);
    }

    public TestStore() {
        this(FirestoreCounterOptions.defaults());
    }

    /** Returns a random name. */
    public static String name() {
        return "test-" + UUID.randomUUID();
    }

    /** Waits for a future, and throws its failure. */
    public static <T> T await(ApiFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    public FirestoreCounterOptions options() {
        return options;
    }

    public FirestoreCounterBackend backend() {
        return backend;
    }

    public Counters counters() {
        return counters;
    }

    public CallFaults faults() {
        return fixture.faults();
    }

    /** Creates another process on the same store, with its own client and empty caches. */
    public FirestoreCounterBackend anotherBackend() {
        return fixture.connect();
    }

    public Counters another() {
        return Counters.over(anotherBackend());
    }

    public Counters another(CountersOptions countersOptions) {
        return Counters.over(anotherBackend(), countersOptions);
    }

    /** Returns the client of the backend. */
    public Firestore client() {
        return client;
    }

    /** Returns the plain client. */
    public Firestore raw() {
        return raw;
    }

    public DocumentReference counter(String name) {
        return raw.document("counters/" + name);
    }

    public DocumentReference shard(String name, int shard) {
        return counter(name).collection("shards").document(String.valueOf(shard));
    }

    /** Returns the fields of a document; null if it does not exist. */
    @Nullable public Map<String, Object> data(DocumentReference document) {
        return await(document.get()).getData();
    }

    /** Returns the fields of the documents of a collection, by id. */
    public Map<String, Map<String, Object>> all(String collection) {
        Map<String, Map<String, Object>> all = new TreeMap<>();
        for (QueryDocumentSnapshot document : await(raw.collection(collection).get())) {
            all.put(document.getId(), document.getData());
        }
        return all;
    }

    /** Returns the shards of a counter, by id. */
    public Map<String, Map<String, Object>> shards(String name) {
        return all("counters/" + name + "/shards");
    }

    @Override
    public void close() {
        counters.close();
        fixture.close();
        raw.shutdown();
    }
}
