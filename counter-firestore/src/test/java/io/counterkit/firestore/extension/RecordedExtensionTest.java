package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import io.counterkit.Counters;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.fixture.WebClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests imports of what the Firebase extension Distributed Counter 0.2.15 itself has written to Firestore's emulator.
 * The recordings have one document a line, as the REST API returns it. They contain only what the programs wrote, and
 * nothing of their code.
 *
 * <p>{@code extension-0.2.15-web.jsonl}: five clients and a sixth, each the published web client with the SDK firebase
 * 12.0.0 on Node.js 20 and a cookie of its own, called {@code incrementBy} for three fields of two documents, and
 * {@code shard().set} for two fields at once. Only the document {@code pages/home} was set by the application.
 *
 * <p>{@code extension-0.2.15-functions.jsonl}: clients' shards were created, and then the extension's own classes for
 * its controller and its workers ran, each document of {@code pages} in a database of its own. The documents were read
 * when the state after which they are named was reached. Then a worker ran until there were no more shards: the totals
 * in this test are those that it arrived at.
 */
@Tag("exhaustive")
class RecordedExtensionTest {
    private final String project = "demo-" + UUID.randomUUID();
    private final Firestore firestore = FirestoreFixture.emulator().connect(project);
    private final FirestoreCounterBackend backend = FirestoreCounterBackend.create(firestore);
    private final Counters counters = Counters.over(backend);

    @AfterEach
    void close() throws Exception {
        counters.close();
        firestore.close();
    }

    private void store(String recording) throws IOException {
        try (InputStream in = RecordedExtensionTest.class.getResourceAsStream(recording)) {
            assertThat(in).as(recording).isNotNull();
            WebClient client = WebClient.signedOut(FirestoreFixture.emulator(), project);
            String[] writes = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(client::create)
                    .toArray(String[]::new);
            assertThat(client.write(writes)).isEqualTo(200);
        }
    }

    private ExtensionImportReport run(String... fields) {
        return ExtensionImport.of(backend, "pages", List.of(fields)).run().join();
    }

    private List<QueryDocumentSnapshot> shards() {
        return TestStore.await(firestore.collectionGroup("_counter_shards_").get())
                .getDocuments();
    }

    private Map<String, Object> shown(String field) {
        Map<String, Object> shown = new TreeMap<>();
        for (DocumentSnapshot page :
                TestStore.await(firestore.collection("pages").get())) {
            Object value = page.get(field);
            if (value != null) {
                shown.put(page.getId(), value);
                assertThat(counters.counter("pages/" + page.getId() + "/" + field)
                                .get())
                        .as(page.getId())
                        .isEqualTo(value);
            }
        }
        return shown;
    }

    @Test
    void documentsOfThePublishedWebClient_areTakenOver() throws IOException {
        store("extension-0.2.15-web.jsonl");
        ExtensionImportReport report = run("visits", "stats.views", "a.b.c");
        assertThat(report.left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("it holds 0.5"));
        assertThat(report.otherFields()).containsExactly("likes");
        assertThat(shown("visits")).isEqualTo(Map.of("home", 100L + 7 + 7 + 1 + 21 + 1_000_001));
        assertThat(shown("stats.views")).isEqualTo(Map.of("home", 7L + 12 + 12 + 40 + 2_000_000));
        assertThat(shown("a.b.c")).isEqualTo(Map.of("new", 11L));
        assertThat(run("likes").added()).isEqualTo(10);
        assertThat(shards())
                .as("the fraction stays")
                .singleElement()
                .satisfies(shard -> assertThat(shard.getData()).isEqualTo(Map.of("visits", 0.5)));
    }

    @Test
    void statesOfThePublishedFunctions_areTakenOver() throws IOException {
        store("extension-0.2.15-functions.jsonl");
        assertThat(run("visits", "stats.views").left()).isEmpty();
        Map<String, Object> visits = new TreeMap<>(Map.of(
                "controller", 18L,
                "empty-partial", 8L,
                "partial-of-partials", 15L,
                "subtracted", 16L,
                "many-updates", 4095L,
                "compacted", 8191L,
                "workers", 5L));
        Map<String, Object> views = new TreeMap<>(Map.of("controller", 4L));
        for (int depth = 1; depth <= 4; depth++) {
            visits.put("partial-" + depth, 1104L);
            views.put("partial-" + depth, 20L);
        }
        assertThat(shown("visits")).isEqualTo(visits);
        assertThat(shown("stats.views")).isEqualTo(views);
        assertThat(shards()).isEmpty();
        assertThat(run("visits", "stats.views").added()).isZero();
        assertThat(TestStore.await(firestore.collectionGroup("workers").get()).getDocuments())
                .as("the extension's own state")
                .hasSize(1);
    }
}
