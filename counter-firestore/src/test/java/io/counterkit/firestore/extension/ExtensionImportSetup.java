package io.counterkit.firestore.extension;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/** A database with a page that counts, and what imports its counters. */
abstract class ExtensionImportSetup {
    final String project = "demo-" + UUID.randomUUID();
    final Firestore firestore = FirestoreFixture.emulator().connect(project);
    final FirestoreCounterBackend backend = FirestoreCounterBackend.create(firestore);
    final Counters counters = Counters.over(backend);
    final ExtensionFunction function = new ExtensionFunction(firestore);
    final DocumentReference home = firestore.document("pages/home");

    @AfterEach
    void close() throws Exception {
        counters.close();
        firestore.close();
    }

    ExtensionImport of(String... fields) {
        return ExtensionImport.of(backend, "pages", List.of(fields));
    }

    static ExtensionImportReport run(ExtensionImport job) {
        return job.run().join();
    }

    long total(String field) {
        return counters.counter("pages/home/" + field).get();
    }

    Object shown(String field) {
        return TestStore.await(home.get()).get(field);
    }

    Map<String, Object> shards() {
        Map<String, Object> shards = new HashMap<>();
        TestStore.await(home.collection("_counter_shards_").get())
                .forEach(shard -> shards.put(shard.getId(), shard.getData()));
        return shards;
    }

    void setPage(Map<String, Object> fields) {
        TestStore.await(home.set(fields));
    }

    ExtensionClient client(String field) {
        return new ExtensionClient(firestore, "pages/home", field);
    }
}
