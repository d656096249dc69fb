package io.counterkit.firestore.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.QueryDocumentSnapshot;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.ChangeTarget.Kind;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that each layout of the published recipe is read and added to, with documents as its snippet writes them. */
class SnippetLayoutsTest {
    private static final int SHARDS = 5;

    private final Firestore firestore = FirestoreFixture.emulator().connect("demo-" + UUID.randomUUID());
    private final Random random = new Random();

    @AfterEach
    void close() throws Exception {
        firestore.close();
    }

    /** The documents of the snippets of each language. */
    private enum Snippet {
        WEB_AND_NODE("num_shards", "count", false),
        SWIFT_KOTLIN_AND_JAVA("numShards", "count", false),
        OBJECTIVE_C("numShards", "count", false) {
            @Override
            List<String> shards() {
                return List.of(String.valueOf(SHARDS)); // it creates one shard, again and again
            }
        },
        PYTHON_AND_C_SHARP(null, "count", false),
        GO(null, "Count", false),
        PHP(null, "Cnt", true),
        RUBY(null, "count", true);

        private final @Nullable String shardCount;
        private final String count;
        private final boolean isFlat;

        Snippet(@Nullable String shardCount, String count, boolean isFlat) {
            this.shardCount = shardCount;
            this.count = count;
            this.isFlat = isFlat;
        }

        List<String> shards() {
            return IntStream.range(0, SHARDS).mapToObj(Integer::toString).toList();
        }

        /** Returns what the snippet's counter is called here. */
        String counter() {
            return switch (this) {
                case PHP -> "samples/php/distributedCounters";
                case RUBY -> "shards";
                default -> "likes";
            };
        }

        FirestoreCounterOptions options() {
            FirestoreCounterOptions.Builder options =
                    FirestoreCounterOptions.builder().shards(SHARDS).countField(count);
            return (isFlat ? options.flatShards() : options).build();
        }
    }

    private DocumentReference shard(Snippet snippet, String id) {
        return firestore
                .collection(snippet.isFlat ? snippet.counter() : "counters/likes/shards")
                .document(id);
    }

    private void create(Snippet snippet) {
        if (snippet.shardCount != null) {
            TestStore.await(firestore.document("counters/likes").set(Map.of(snippet.shardCount, SHARDS)));
        }
        for (String id : snippet.shards()) {
            TestStore.await(shard(snippet, id).set(Map.of(snippet.count, 0)));
        }
    }

    private void increment(Snippet snippet) {
        String id = snippet.shards().get(random.nextInt(snippet.shards().size()));
        TestStore.await(shard(snippet, id).update(snippet.count, FieldValue.increment(1)));
    }

    private long total(Snippet snippet) {
        long total = 0;
        for (QueryDocumentSnapshot shard :
                TestStore.await(shard(snippet, "0").getParent().get())) {
            Long count = shard.getLong(snippet.count);
            total += count == null ? 0 : count;
        }
        return total;
    }

    @ParameterizedTest
    @EnumSource
    void counterOfASnippet_isReadAndAddedTo_byBoth(Snippet snippet) {
        create(snippet);
        increment(snippet);
        increment(snippet);
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(firestore, snippet.options()))) {
            Counter counter = counters.counter(snippet.counter());
            assertThat(counter.get()).isEqualTo(2);
            for (int i = 0; i < 10; i++) {
                counter.add(10);
                increment(snippet);
            }
            assertThat(counter.get()).isEqualTo(112);
            assertThat(total(snippet)).isEqualTo(112);
            assertThat(counters.counterNames("").names()).containsExactly(snippet.counter());
            counter.reset();
            increment(snippet);
            assertThat(total(snippet)).isOne();
            assertThat(counter.get()).isOne();
        }
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(firestore, snippet.options()))) {
            Counter counter = counters.counter(snippet.counter());
            assertThat(counter.seal("elsewhere").last()).isOne();
            assertThatExceptionOfType(SealedException.class).isThrownBy(counter::increment);
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> increment(snippet))
                    .withMessageContaining("NOT_FOUND");
            assertThat(counter.get()).isOne();
        }
    }

    @Test
    void flatShards_ofDifferentNames_areDifferentCollections() {
        List<String> names = List.of("a", "a/b", "a/b/c", "a%2Fb", "a//c", "__x__/b/c", "./b/c", "%", "shards");
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().flatShards().shards(1).build();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(firestore, options))) {
            for (int i = 0; i < names.size(); i++) {
                counters.counter(names.get(i)).add(1L << i);
            }
            for (int i = 0; i < names.size(); i++) {
                assertThat(counters.counter(names.get(i)).get())
                        .as(names.get(i))
                        .isEqualTo(1L << i);
            }
            assertThat(counters.counterNames("").names()).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    @Test
    void flatShards_inACollectionOfOtherData_areRefused() {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().flatShards().build();
        FirestoreCounterBackend backend = FirestoreCounterBackend.create(firestore, options);
        try (Counters counters = Counters.over(backend)) {
            for (String name : List.of("counters", "counter_tokens", "sequences/orders/entries", "counter_imports")) {
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> counters.counter(name).add(1))
                        .withMessageContainingAll("'" + name + "'", "choose another name");
                // A migration must not seal what it cannot import.
                assertThat(backend.migration().refusalOf(Kind.COUNTER, name))
                        .hasMessageContainingAll("'" + name + "'", "choose another name");
                assertThat(backend.migration().refusalOf(Kind.SEQUENCE, name)).isNull();
            }
            assertThat(backend.migration().refusalOf(Kind.COUNTER, "likes")).isNull();
        }
        firestore
                .listCollections()
                .forEach(collection -> assertThat(
                                TestStore.await(collection.get()).isEmpty())
                        .as(collection.getPath())
                        .isTrue());
    }
}
