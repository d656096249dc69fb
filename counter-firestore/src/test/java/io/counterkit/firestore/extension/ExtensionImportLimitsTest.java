package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.ExtensionImportReport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Limits;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests what an import of counters of the Firebase extension refuses, reports and leaves. */
class ExtensionImportLimitsTest extends ExtensionImportSetup {
    @Test
    void oddValues_areReportedAndLeft() {
        setPage(new HashMap<>(Map.of("visits", "many", "likes", 2.5, "stars", 4, "views", 8)) {
            private static final long serialVersionUID = 1;

            {
                put("clicks", null);
            }
        });
        ExtensionClient odd = client("stars");
        List<Object> values = Arrays.asList(0.5, Double.NaN, Double.POSITIVE_INFINITY, "5", 1e300, Map.of("a", 1));
        for (Object value : values) {
            ExtensionClient other = client("stars");
            TestStore.await(other.shard().set(Map.of("stars", value, "views", 1)));
        }
        TestStore.await(odd.shard().set(Map.of("stars", 3, "visits", 9, "clicks", 1)));

        ExtensionImportReport report = run(of("visits", "likes", "stars", "views", "clicks"));
        assertThat(report.left())
                .hasSize(2 + values.size())
                .allSatisfy(left -> assertThat(left.document()).isEqualTo("pages/home"));
        assertThat(report.left().toString())
                .contains("field 'visits': it holds the text 'many', which is not a whole number")
                .contains("field 'likes': it holds 2.5")
                .contains("of shard '")
                .contains("it holds NaN");
        assertThat(total("stars")).isEqualTo(7);
        assertThat(total("views")).isEqualTo(14);
        assertThat(total("clicks")).isEqualTo(1);
        assertThat(total("visits")).isZero();
        assertThat(shown("visits")).isEqualTo("many");
        assertThat(shown("likes")).isEqualTo(2.5);
        assertThat(shards()).as("nothing is lost").hasSize(1 + values.size());
        assertThat(shards().get(odd.shard().getId())).isEqualTo(Map.of("visits", 9L));
        ExtensionImportReport again = run(of("visits", "likes", "stars", "views", "clicks"));
        assertThat(again.added()).isZero();
        assertThat(again.left()).isEqualTo(report.left());
    }

    @Test
    void growthOfMinusTwoToThe63_isReportedAndLeft() {
        setPage(Map.of("visits", -Limits.MAX_TOTAL));
        ExtensionClient client = client("visits");
        TestStore.await(client.shard().set(Map.of("visits", -Limits.MAX_TOTAL)));
        assertThat(run(of("visits")).left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason())
                        .contains("it grew by " + Long.MIN_VALUE + ", more than the 2^53 that one add can have"));
        assertThat(total("visits")).isZero();
        assertThat(shown("visits")).isEqualTo(-Limits.MAX_TOTAL);
        assertThat(shards()).hasSize(1);
    }

    @Test
    void otherCollectionOfCounters_isRefused() {
        setPage(Map.of("visits", 50));
        run(of("visits"));
        client("visits").incrementBy(1);
        FirestoreCounterOptions elsewhere =
                FirestoreCounterOptions.builder().counterCollection("others").build();
        try (FirestoreCounterBackend other = FirestoreCounterBackend.create(firestore, elsewhere)) {
            ExtensionImportReport report =
                    ExtensionImport.of(other, "pages", List.of("visits")).run().join();
            assertThat(report.left())
                    .containsExactly(new ExtensionImportReport.Left(
                            "pages/home", "its counters are in collection 'counters' already"));
            assertThat(TestStore.await(firestore.collection("others").get()).isEmpty())
                    .isTrue();
        }
        assertThat(shards()).hasSize(1);
        run(of("visits"));
        assertThat(total("visits")).isEqualTo(51);
    }

    @Test
    void otherLayoutOfShards_isRefused() {
        setPage(Map.of("visits", 50));
        run(of("visits"));
        client("visits").incrementBy(1);
        for (FirestoreCounterOptions.Builder options : List.of(
                FirestoreCounterOptions.builder().shardCollection("parts"),
                FirestoreCounterOptions.builder().flatShards(),
                FirestoreCounterOptions.builder().countField("n"))) {
            try (FirestoreCounterBackend other = FirestoreCounterBackend.create(firestore, options.build())) {
                assertThat(ExtensionImport.of(other, "pages", List.of("visits"))
                                .run()
                                .join()
                                .left())
                        .singleElement()
                        .satisfies(left -> assertThat(left.reason())
                                .startsWith("its counters")
                                .containsAnyOf("shards in 'shards'", "field 'count'")
                                .endsWith("already: use the same layout"));
            }
        }
        assertThat(shards()).hasSize(1);
        run(of("visits"));
        assertThat(total("visits")).isEqualTo(51);
    }

    @Test
    void sealedCounter_takesNothing() {
        setPage(Map.of("visits", 50));
        run(of("visits"));
        counters.counter("pages/home/visits").seal("elsewhere");
        client("visits").incrementBy(1);
        assertThat(run(of("visits")).left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("sealed", "elsewhere"));
        assertThat(shards()).hasSize(1);
        assertThat(shown("visits")).isEqualTo(50L);
    }

    @Test
    void nothingToImport_changesNothing() {
        assertThat(run(of("visits"))).isEqualTo(new ExtensionImportReport(0, 0, 0, 0, List.of(), List.of()));
        setPage(Map.of("likes", 1, "stats", Map.of("views", 2), "title", "Home"));
        assertThat(run(of("visits")))
                .isEqualTo(new ExtensionImportReport(1, 0, 0, 0, List.of("likes", "stats.views"), List.of()));
        assertThat(TestStore.await(firestore.collection("counter_imports").get())
                        .isEmpty())
                .isTrue();
        assertThat(TestStore.await(firestore.collection("counter_tokens").get()).isEmpty())
                .isTrue();
    }

    @Test
    void invalidNames_areRefused() {
        for (String field : List.of("", "a..b", ".a", "a/b", "__a__")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> of(field))
                    .withMessageContainingAll("field '" + field + "'", "stats.views");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtensionImport.of(backend, "pages/home", List.of("visits")))
                .withMessageContaining("collection 'pages/home' is the path of a document");
        assertThatIllegalArgumentException().isThrownBy(() -> of()).withMessageContaining("name at least one");
        for (String own : List.of(
                "counters",
                "counters/a/shards",
                "sequences",
                "sequences/a/entries",
                "counter_tokens",
                "counter_imports")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ExtensionImport.of(backend, own, List.of("count")))
                    .withMessageStartingWith("collection '" + own + "' ");
        }
        DocumentReference longest = firestore.document("pages/" + "x".repeat(400));
        TestStore.await(longest.set(Map.of("visits", 1)));
        assertThat(run(of("visits")).left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("field 'visits'", "400"));
        assertThat(TestStore.await(longest.get()).get("visits")).isEqualTo(1L);
    }

    @Test
    void sealedCounter_doesNotPreventTheOthers() {
        setPage(Map.of("visits", 50, "likes", 7));
        run(of("visits", "likes"));
        counters.counter("pages/home/visits").seal("elsewhere");
        ExtensionClient client = client("visits");
        client.incrementBy(1);
        TestStore.await(client.shard().update("likes", 2));
        ExtensionImportReport report = run(of("visits", "likes"));
        assertThat(report.added()).isEqualTo(2);
        assertThat(report.left())
                .singleElement()
                .satisfies(left -> assertThat(left.reason()).contains("field 'visits'", "sealed", "elsewhere"));
        assertThat(total("likes")).isEqualTo(9);
        assertThat(shown("likes")).isEqualTo(9L);
        assertThat(shown("visits")).isEqualTo(50L);
        assertThat(shards().values()).containsExactly(Map.of("visits", 1L));
    }
}
