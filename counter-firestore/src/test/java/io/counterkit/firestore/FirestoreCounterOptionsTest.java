package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.firestore.internal.counter.AddCommit;
import io.counterkit.firestore.internal.read.Rollup;
import io.counterkit.spi.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirestoreCounterOptionsTest {
    @Test
    void defaults_areThePublishedRecipe() {
        FirestoreCounterOptions options = FirestoreCounterOptions.defaults();
        assertThat(options.layout().counterCollection()).isEqualTo("counters");
        assertThat(options.layout().shardCollection()).isEqualTo("shards");
        assertThat(options.layout().countField()).isEqualTo("count");
        assertThat(options.layout().shardCountField()).isEqualTo("num_shards");
        assertThat(options.layout().sequenceCollection()).isEqualTo("sequences");
        assertThat(options.layout().tokenCollection()).isEqualTo("counter_tokens");
        assertThat(options.layout().importCollection()).isEqualTo("counter_imports");
        assertThat(options.shards()).isEqualTo(10);
        assertThat(options.seeding()).isEqualTo(Seeding.AT_CREATION);
        assertThat(options.writeStrategy()).isEqualTo(WriteStrategy.INCREMENT);
        assertThat(options.retention()).isEqualTo(Duration.ofHours(24));
        assertThat(options.rollupCadence()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.freshPrefix()).isNull();
        assertThat(options.commitsInFlight()).isEqualTo(2);
        assertThat(options.deadline()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void everyOption_isKept() {
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .counterCollection("a/b/c")
                .shardCollection("d")
                .countField("e")
                .shardCountField("f")
                .sequenceCollection("g")
                .tokenCollection("h/i/j")
                .importCollection("k")
                .shards(1000)
                .seeding(Seeding.ON_FIRST_USE)
                .writeStrategy(WriteStrategy.TRANSACTION)
                .retention(Duration.ofHours(1))
                .rollupCadence(ChronoUnit.FOREVER.getDuration())
                .keepFresh("posts/")
                .commitsInFlight(100)
                .deadline(Duration.ofMillis(1))
                .build();
        assertThat(options.layout().counterCollection()).isEqualTo("a/b/c");
        assertThat(options.layout().shardCollection()).isEqualTo("d");
        assertThat(options.layout().countField()).isEqualTo("e");
        assertThat(options.layout().shardCountField()).isEqualTo("f");
        assertThat(options.layout().sequenceCollection()).isEqualTo("g");
        assertThat(options.layout().tokenCollection()).isEqualTo("h/i/j");
        assertThat(options.layout().importCollection()).isEqualTo("k");
        assertThat(options.shards()).isEqualTo(1000);
        assertThat(options.seeding()).isEqualTo(Seeding.ON_FIRST_USE);
        assertThat(options.writeStrategy()).isEqualTo(WriteStrategy.TRANSACTION);
        assertThat(options.retention()).isEqualTo(Duration.ofHours(1));
        assertThat(options.rollupCadence()).isEqualTo(ChronoUnit.FOREVER.getDuration());
        assertThat(Rollup.cadence(options.rollupCadence(), true)).isEqualTo(Duration.ofDays(36_500));
        assertThat(options.freshPrefix()).isEqualTo("posts/");
        assertThat(options.commitsInFlight()).isEqualTo(100);
        assertThat(options.deadline()).isEqualTo(Duration.ofMillis(1));
        assertThat(AddCommit.limits(options).maxInFlight()).as("transactions").isEqualTo(1);
        assertThat(AddCommit.limits(FirestoreCounterOptions.builder()
                                .commitsInFlight(100)
                                .build())
                        .maxInFlight())
                .isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "/a/b", "a//b", "a/b/", ".", "a/../b", "__a__", "a/__b__/c"})
    void collection_thatFirestoreRejects_isNamed(String path) {
        refuses(path, FirestoreCounterOptions.Builder::counterCollection, "counter collection");
        refuses(path, FirestoreCounterOptions.Builder::sequenceCollection, "sequence collection");
        refuses(path, FirestoreCounterOptions.Builder::tokenCollection, "token collection");
        refuses(path, FirestoreCounterOptions.Builder::importCollection, "import collection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a/b/c", ".", "..", "__a__", "____"})
    void shardCollection_thatFirestoreRejects_isNamed(String id) {
        refuses(id, FirestoreCounterOptions.Builder::shardCollection, "shard collection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a b", "1a", "`a`", "é", "__a__", "a/b"})
    void field_thatWouldNeedQuoting_isNamed(String name) {
        refuses(name, FirestoreCounterOptions.Builder::countField, "count field");
        refuses(name, FirestoreCounterOptions.Builder::shardCountField, "shard count field");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1001, Integer.MAX_VALUE})
    void shardCount_outOfBounds_isNamedWithTheBounds(int shards) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().shards(shards))
                .withMessageContainingAll(String.valueOf(shards), "1 to 1000");
    }

    @Test
    void rollupCadence_isASecondOrMore_exceptWithAnEmulator() {
        assertThat(Rollup.cadence(Duration.ZERO, true)).isZero();
        for (Duration asked : List.of(Duration.ZERO, Duration.ofMillis(999), Duration.ofSeconds(1))) {
            assertThat(Rollup.cadence(asked, false)).isEqualTo(Duration.ofSeconds(1));
        }
        assertThat(Rollup.cadence(Duration.ofMillis(1001), false)).isEqualTo(Duration.ofMillis(1001));
    }

    @Test
    void adaptiveShards_beginWithinTheirRange() {
        assertThat(FirestoreCounterOptions.defaults().hasAdaptiveShards()).isFalse();
        assertThat(FirestoreCounterOptions.builder()
                        .adaptiveShards(2, 50)
                        .build()
                        .shards())
                .isEqualTo(10);
        assertThat(FirestoreCounterOptions.builder()
                        .adaptiveShards(2, 5)
                        .build()
                        .shards())
                .isEqualTo(5);
        assertThat(FirestoreCounterOptions.builder()
                        .adaptiveShards(20, 1000)
                        .build()
                        .shards())
                .isEqualTo(20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder()
                        .shards(60)
                        .adaptiveShards(2, 50)
                        .build())
                .withMessageContainingAll("2 to 50 adaptive shards", "60", "within this range");
    }

    @Test
    void adaptiveShards_outOfBounds_orFlat_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().adaptiveShards(0, 5))
                .withMessageContainingAll("0", "1 to 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().adaptiveShards(1, 1001))
                .withMessageContainingAll("1001", "1 to 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().adaptiveShards(5, 5))
                .withMessageContainingAll("5 to 5", "larger maximum");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder()
                        .flatShards()
                        .adaptiveShards(1, 5)
                        .build())
                .withMessageContainingAll("flat shards", "reshard");
    }

    @Test
    void keepFresh_acceptsPrefixesOfNamesOnly() {
        assertThat(FirestoreCounterOptions.builder().keepFresh("").build().freshPrefix())
                .as("all")
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().keepFresh("a\nb"))
                .withMessageContaining("prefix");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 101})
    void commitsInFlight_outOfBounds_areNamedWithTheBounds(int commits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().commitsInFlight(commits))
                .withMessageContainingAll(String.valueOf(commits), "1 to 100");
    }

    @Test
    void durations_thatAreTooShort_areNamedWithTheBound() {
        Duration tooShort = Duration.ofHours(1).minusNanos(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FirestoreCounterOptions.builder().retention(tooShort))
                .withMessageContainingAll(Durations.inWords(tooShort), "1 h");
        for (Duration deadline : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FirestoreCounterOptions.builder().deadline(deadline))
                    .withMessageContaining(Durations.inWords(deadline));
        }
    }

    @Test
    void collections_thatAreTheSame_areNamed() {
        for (FirestoreCounterOptions.Builder builder : List.of(
                FirestoreCounterOptions.builder().sequenceCollection("counters"),
                FirestoreCounterOptions.builder().tokenCollection("counters"),
                FirestoreCounterOptions.builder().importCollection("counters"),
                FirestoreCounterOptions.builder().importCollection("counter_tokens"),
                FirestoreCounterOptions.builder().sequenceCollection("x").tokenCollection("x"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(builder::build)
                    .withMessageContaining("a collection of its own");
        }
    }

    @Test
    void collections_insideDocumentsOfAnother_areNamed() {
        for (FirestoreCounterOptions.Builder builder : List.of(
                FirestoreCounterOptions.builder().tokenCollection("counters/x/shards"),
                FirestoreCounterOptions.builder()
                        .counterCollection("a")
                        .shardCollection("b")
                        .importCollection("a/x/b"),
                FirestoreCounterOptions.builder().counterCollection("sequences/x/entries"),
                FirestoreCounterOptions.builder().sequenceCollection("a/b/c").tokenCollection("a/b/c/d/subjects"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(builder::build)
                    .withMessageContaining("a collection of its own");
        }
        assertThat(FirestoreCounterOptions.builder()
                        .tokenCollection("counters/x/tokens")
                        .importCollection("sequences/shards/shards")
                        .build()
                        .layout()
                        .tokenCollection())
                .isEqualTo("counters/x/tokens");
    }

    private static void refuses(
            String value,
            BiFunction<FirestoreCounterOptions.Builder, String, FirestoreCounterOptions.Builder> option,
            String what) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> option.apply(FirestoreCounterOptions.builder(), value))
                .withMessageContainingAll(what, "'" + lastSegmentOrWhole(value));
    }

    /** Returns what a message must contain. For a path it may name only the invalid segment. */
    private static String lastSegmentOrWhole(String value) {
        return value.contains("/") ? "" : value + "'";
    }
}
