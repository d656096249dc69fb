package io.counterkit.firestore.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.read.TopQuery;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests that the shipped index exemptions and TTL policy fit the stored fields. Their effect in the service is not
 * tested: the emulator has no exemptions.
 */
class IndexFileTest {
    private final JsonObject file = file();

    @Test
    void everyFieldOfTokensEntriesSubjectsAndImports_isExempt_andOfCountersTheTimeAndTheSeal() {
        Map<String, Set<String>> exempt = new TreeMap<>();
        for (JsonObject override : overrides()) {
            assertThat(override.getAsJsonArray("indexes")).isEmpty();
            assertThat(exempt.computeIfAbsent(text(override, "collectionGroup"), group -> new TreeSet<>())
                            .add(text(override, "fieldPath")))
                    .as("once only: %s", override)
                    .isTrue();
        }
        Map<String, Set<String>> stored = storedFields();
        // The sum reads index entries, so a field without an index cannot be summed.
        assertThat(stored.put(FirestoreCounterOptions.defaults().layout().shardCollection(), Set.of("seal", "stamps")))
                .containsExactly(FirestoreCounterOptions.defaults().layout().countField(), "seal", "stamps");
        assertThat(stored.put(
                        FirestoreCounterOptions.defaults().layout().counterCollection(), Set.of("seal", "total_at")))
                .containsExactly("num_shards", "seal", "total", "total_at");
        assertThat(stored.remove(FirestoreCounterOptions.defaults().layout().sequenceCollection()))
                .isEmpty();
        assertThat(exempt).isEqualTo(stored);
    }

    @Test
    void tokensExpire_andNothingElseDoes() {
        List<JsonObject> expiring =
                overrides().stream().filter(override -> override.has("ttl")).toList();
        assertThat(expiring).hasSize(1);
        assertThat(expiring.get(0).get("ttl").getAsBoolean()).isTrue();
        assertThat(text(expiring.get(0), "collectionGroup"))
                .isEqualTo(FirestoreCounterOptions.defaults().layout().tokenCollection());
        assertThat(text(expiring.get(0), "fieldPath")).isEqualTo(TokenDocument.EXPIRES);
    }

    /** Tests that the index has the fields of {@link TopQuery} in their order, largest first. */
    @Test
    void oneCompositeIndexIsNeeded_forTheLargestRollups() {
        assertThat(file.keySet()).containsExactlyInAnyOrder("indexes", "fieldOverrides");
        JsonObject index = JsonParser.parseString("""
            {"collectionGroup": "counters", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "total", "order": "DESCENDING"}, {"fieldPath": "__name__", "order": "ASCENDING"}]}
            """).getAsJsonObject();
        assertThat(file.getAsJsonArray("indexes")).containsExactly(index);
    }

    /** Returns all fields by the last segment of the collection, after each kind of change in an empty database. */
    private static Map<String, Set<String>> storedFields() {
        Firestore firestore = FirestoreFixture.emulator().connect("demo-" + UUID.randomUUID());
        FirestoreCounterBackend backend = FirestoreCounterBackend.create(firestore);
        try (Counters counters = Counters.over(backend)) {
            counters.counter("a").add(1);
            counters.counter("a").add(1, IdempotencyToken.of("add"));
            counters.counter("a").reset();
            counters.counter("a").read(Duration.ofHours(1));
            await().until(() ->
                    TestStore.await(firestore.document("counters/a").get()).contains("total_at"));
            counters.counter("b").seal("elsewhere");
            FirestoreCounterOptions stamping = FirestoreCounterOptions.builder()
                    .writeStrategy(WriteStrategy.STAMP)
                    .build();
            Counters.over(FirestoreCounterBackend.create(firestore, stamping))
                    .counter("a")
                    .add(1);
            counters.sequence("s").append(Map.of("field", 1L));
            counters.sequence("s").append(Change.ADDED, "subject", Map.of(), IdempotencyToken.of("append"));
            counters.sequence("s").erase(1);
            counters.sequence("s").seal("elsewhere");
            counters.resolve(IdempotencyToken.of("nothing"));
            ImportedState base = new ImportedState("elsewhere", true, 1, 1);
            Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
            backend.migration()
                    .importBase(ChangeTarget.Kind.SEQUENCE, "moved", base, call)
                    .join();
            Entry entry = new Entry(1, Instant.EPOCH, Change.ADDED, null, Map.of(), 1, false);
            backend.migration().copy("moved", List.of(entry), call).join();
            backend.transact(IdempotencyToken.of("transaction"), transaction -> transaction.append("t", Map.of()))
                    .join();
        }
        Map<String, Set<String>> fields = new TreeMap<>();
        firestore.listCollections().forEach(collection -> collect(collection, fields));
        firestore.shutdown();
        return fields;
    }

    private static void collect(CollectionReference collection, Map<String, Set<String>> fields) {
        Set<String> all = fields.computeIfAbsent(collection.getId(), group -> new TreeSet<>());
        for (DocumentReference document : collection.listDocuments()) {
            Map<String, Object> data = TestStore.await(document.get()).getData();
            if (data != null) {
                all.addAll(data.keySet());
            }
            document.listCollections().forEach(child -> collect(child, fields));
        }
    }

    private List<JsonObject> overrides() {
        List<JsonObject> overrides = new ArrayList<>();
        for (JsonElement override : file.getAsJsonArray("fieldOverrides")) {
            overrides.add(override.getAsJsonObject());
        }
        return overrides;
    }

    private static String text(JsonObject object, String field) {
        return object.get(field).getAsString();
    }

    private static JsonObject file() {
        try (InputStream stream =
                Objects.requireNonNull(FirestoreCounterBackend.class.getResourceAsStream("firestore.indexes.json"))) {
            return JsonParser.parseString(new String(stream.readAllBytes(), UTF_8))
                    .getAsJsonObject();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
