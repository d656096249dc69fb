package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.ListenerRegistration;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.fixture.TestStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Tests that counters of the Firebase extension Distributed Counter are taken over as its clients and functions write
 * them.
 */
class ExtensionImportTest extends ExtensionImportSetup {
    @Test
    void run_takesFieldsShardsAndPartials_once() {
        setPage(Map.of("title", "Home", "visits", 100, "stats", Map.of("views", 7, "unit", "views")));
        client("visits").incrementBy(20);
        client("stats.views").incrementBy(3);
        function.new Worker(home).look().intoPartial(2);
        client("visits").incrementBy(4);
        client("visits").incrementBy(-1.0);
        client("stats.views").incrementBy(5.0);

        ExtensionImportReport first = run(of("visits", "stats.views"));
        assertThat(first).isEqualTo(new ExtensionImportReport(1, 2, 5, 138, List.of(), List.of()));
        assertThat(total("visits")).isEqualTo(123);
        assertThat(total("stats.views")).isEqualTo(15);
        assertThat(TestStore.await(home.get()).getData())
                .isEqualTo(Map.of("title", "Home", "visits", 123L, "stats", Map.of("views", 15L, "unit", "views")));
        assertThat(shards()).isEmpty();

        assertThat(run(of("visits", "stats.views")))
                .isEqualTo(new ExtensionImportReport(1, 2, 0, 0, List.of(), List.of()));
        assertThat(total("visits")).isEqualTo(123);
    }

    @Test
    void run_ofOneField_leavesTheOthers() {
        setPage(Map.of("visits", 1));
        ExtensionClient client = client("likes");
        client.incrementBy(5);
        TestStore.await(client.shard().update("visits", 2));
        function.new Worker(home).look().intoPartial(1);
        TestStore.await(client.shard().set(Map.of("visits", 3, "likes", 4, "at", Timestamp.now())));

        ExtensionImportReport report = run(of("visits"));
        assertThat(report.otherFields()).containsExactly("likes");
        assertThat(total("visits")).isEqualTo(6);
        assertThat(shards())
                .hasSize(2)
                .allSatisfy((id, data) ->
                        assertThat(data.toString()).doesNotContain("visits").contains("likes"));
        run(of("likes"));
        assertThat(total("likes")).isEqualTo(9);
        assertThat(shown("likes")).isEqualTo(9L);
        assertThat(shards().values())
                .as("what no import knows")
                .singleElement()
                .asString()
                .contains("at=");
    }

    @Test
    void hundredsOfShards_areAllTaken() {
        setPage(Map.of("visits", 1));
        WriteBatch batch = firestore.batch();
        for (int i = 0; i < 450; i++) {
            batch.set(client(i % 3 == 0 ? "likes" : "visits").shard(), Map.of(i % 3 == 0 ? "likes" : "visits", 1));
        }
        TestStore.await(batch.commit());
        assertThat(run(of("visits")).added()).isEqualTo(301);
        assertThat(shown("visits")).isEqualTo(301L);
        assertThat(run(of("likes")).shards()).isEqualTo(150);
        assertThat(shards()).isEmpty();
    }

    @Test
    void shardsOfADocumentThatDoesNotExist_createIt_asTheExtensionDoes() {
        client("visits").incrementBy(3);
        new ExtensionClient(firestore, "pages/home/comments/c1", "visits").incrementBy(1);
        new ExtensionClient(firestore, "pages2/home", "visits").incrementBy(1);
        new ExtensionClient(firestore, "page/home", "visits").incrementBy(1);
        assertThat(run(of("visits"))).isEqualTo(new ExtensionImportReport(1, 1, 1, 3, List.of(), List.of()));
        assertThat(shown("visits")).isEqualTo(3L);
        assertThat(ExtensionImport.of(backend, "pages/home/comments", List.of("visits"))
                        .run()
                        .join()
                        .added())
                .isOne();
        assertThat(counters.counterNames("").names())
                .containsExactly("pages/home/comments/c1/visits", "pages/home/visits");
    }

    @Test
    void applicationSetsTheField_counterFollows() {
        setPage(Map.of("visits", 50));
        run(of("visits"));
        counters.counter("pages/home/visits").add(5);
        setPage(Map.of("visits", 0));
        run(of("visits"));
        assertThat(total("visits")).as("50 less, and 5 were added").isEqualTo(5);
        assertThat(shown("visits")).isEqualTo(5L);
        TestStore.await(home.delete());
        counters.counter("pages/home/visits").add(1);
        run(of("visits"));
        assertThat(TestStore.await(home.get()).exists()).isFalse();
        assertThat(total("visits")).isEqualTo(6);
    }

    @Test
    void deletedDocument_countersWithoutShardsKeepTheirTotals() {
        setPage(Map.of("visits", 50, "likes", 7));
        run(of("visits", "likes"));
        TestStore.await(home.delete());
        client("stars").incrementBy(1);
        run(of("visits", "likes"));
        assertThat(TestStore.await(home.get()).exists())
                .as("the field is not taken over")
                .isFalse();
        client("likes").incrementBy(3);
        for (int i = 0; i < 2; i++) {
            run(of("visits", "likes"));
            assertThat(total("visits")).isEqualTo(50);
            assertThat(total("likes")).isEqualTo(3);
            assertThat(TestStore.await(home.get()).getData()).isEqualTo(Map.of("visits", 50L, "likes", 3L));
        }
    }

    @Test
    void start_keepsPagesUpToDate_forBothWaysOfAdding() {
        setPage(Map.of("visits", 10));
        AtomicReference<Object> page = new AtomicReference<>("nothing");
        ListenerRegistration listener = home.addSnapshotListener((document, failure) -> {
            if (document != null) {
                page.set(String.valueOf(document.get("visits")));
            }
        });
        try (ExtensionImport job = of("visits")) {
            job.start(Duration.ofMillis(20));
            counters.counter("pages/home/visits").add(5);
            await().until(() -> page.get().equals("15"));
            client("visits").incrementBy(2);
            await().until(() -> page.get().equals("17"));
            counters.counter("pages/home/visits").add(-7);
            await().until(() -> page.get().equals("10"));
            counters.counter("pages/home/visits").reset();
            await().until(() -> page.get().equals("0"));
            counters.counter("pages/home/visits").add(4);
            await().until(() -> page.get().equals("4"));
            counters.counter("pages/home/visits").delete();
            await().until(() -> page.get().equals("0"));
            TestStore.await(firestore.document("pages/new").set(Map.of("title", "New")));
            counters.counter("pages/new/visits").add(3);
            await().until(() -> Long.valueOf(3)
                    .equals(TestStore.await(firestore.document("pages/new").get())
                            .get("visits")));
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> job.start(Duration.ofMillis(20)));
        } finally {
            listener.remove();
        }
    }

    @Test
    void wayBack_theExtensionContinuesWithTheTotal_andTheImportToo() {
        setPage(Map.of("visits", 10));
        ExtensionClient client = client("visits");
        client.incrementBy(1);
        run(of("visits"));
        counters.counter("pages/home/visits").add(100);
        client.incrementBy(2);
        run(of("visits")); // the last step of the way back
        assertThat(shown("visits")).isEqualTo(113L);

        client.incrementBy(4);
        assertThat(client.get()).as("what a client of the extension shows").isEqualTo(117);
        function.aggregateOnce();
        client.incrementBy(8);
        function.aggregateOnce();
        assertThat(shown("visits")).isEqualTo(125L);
        assertThat(shards()).isEmpty();

        run(of("visits"));
        assertThat(total("visits")).isEqualTo(125);
    }

    /** Adds at the counter and in the extension's way can cancel out, so that the field stays the same. */
    @Test
    void markerChanges_withEveryTransfer() {
        setPage(Map.of("visits", 10));
        run(of("visits"));
        DocumentReference marker = TestStore.await(
                        firestore.collection("counter_imports").get())
                .getDocuments()
                .get(0)
                .getReference();
        Timestamp before = TestStore.await(marker.get()).getUpdateTime();
        counters.counter("pages/home/visits").add(-5);
        client("visits").incrementBy(5);
        run(of("visits"));
        assertThat(shown("visits")).isEqualTo(10L);
        assertThat(TestStore.await(marker.get()).getUpdateTime()).isGreaterThan(before);
    }

    /** A later version has to read what this one has stored: otherwise it counts the field again. */
    @Test
    void markerIsStored_inItsFormat() {
        setPage(Map.of("visits", 10, "stats", Map.of("views", 3)));
        run(of("visits", "stats.views"));
        Map<String, Object> marker = Map.of(
                "kind", "EXTENSION",
                "document", "pages/home",
                "place", "counters",
                "shards", "shards",
                "countField", "count",
                "counted", Map.of("visits", 10L, "stats.views", 3L));
        DocumentReference stored = firestore.document("counter_imports/Nzu9OB0Iqi3PnRuby7U-1yr2S23oqIPc17gS-opJbTk");
        assertThat(TestStore.await(stored.get()).getData())
                .containsAllEntriesOf(marker)
                .containsOnlyKeys("kind", "document", "place", "shards", "countField", "counted", "at");
        counters.counter("pages/home/visits").add(1);
        run(of("visits"));
        assertThat(TestStore.await(stored.get()).get("counted")).isEqualTo(Map.of("visits", 11L, "stats.views", 3L));
    }
}
