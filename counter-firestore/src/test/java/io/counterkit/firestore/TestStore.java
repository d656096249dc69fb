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

/** A backend, and beside it a plain client, undisturbed and uncounted, that sees what is really stored. */
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

    /** A name that nobody else has. */
    public static String name() {
        return "test-" + UUID.randomUUID();
    }

    /** What a future brings, or what it fails with. */
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

    /** Another process on the same store: its own client, and nothing remembered. */
    public FirestoreCounterBackend anotherBackend() {
        return fixture.connect();
    }

    public Counters another() {
        return Counters.over(anotherBackend());
    }

    public Counters another(CountersOptions countersOptions) {
        return Counters.over(anotherBackend(), countersOptions);
    }

    /** The client of the backend, as the application has it. */
    public Firestore client() {
        return client;
    }

    /** The plain client. */
    public Firestore raw() {
        return raw;
    }

    public DocumentReference counter(String name) {
        return raw.document("counters/" + name);
    }

    public DocumentReference shard(String name, int shard) {
        return counter(name).collection("shards").document(String.valueOf(shard));
    }

    /** The fields of a document; null if it is not there. */
    @Nullable public Map<String, Object> data(DocumentReference document) {
        return await(document.get()).getData();
    }

    /** The fields of the documents of a collection, by id. */
    public Map<String, Map<String, Object>> all(String collection) {
        Map<String, Map<String, Object>> all = new TreeMap<>();
        for (QueryDocumentSnapshot document : await(raw.collection(collection).get())) {
            all.put(document.getId(), document.getData());
        }
        return all;
    }

    /** The shards of a counter, by id. */
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
