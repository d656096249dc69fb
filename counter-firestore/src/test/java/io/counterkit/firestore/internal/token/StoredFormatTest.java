package io.counterkit.firestore.internal.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.WriteStrategy;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.TokenRetention;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the stored documents, which other programs and the next version read. */
class StoredFormatTest {
    private final String tokens = "tokens-" + UUID.randomUUID();
    private final TestStore store = new TestStore(
            FirestoreCounterOptions.builder().tokenCollection(tokens).build());
    private final String name = TestStore.name();
    private final Counter counter = store.counters().counter(name);
    private final Sequence sequence = store.counters().sequence(name);
    private final IdempotencyToken token = IdempotencyToken.of(TestStore.name());

    @AfterEach
    void close() {
        store.close();
    }

    @ParameterizedTest
    @EnumSource(WriteStrategy.class)
    void firstAdd_createsTheDocumentsOfTheRecipe(WriteStrategy strategy) {
        try (TestStore other = store.onTheSameDatabase(
                FirestoreCounterOptions.builder().writeStrategy(strategy).build())) {
            other.counters().counter(name).add(5);
        }
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 10L));
        Map<String, Map<String, Object>> shards = store.shards(name);
        assertThat(shards.keySet()).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
        assertThat(shards.values())
                .filteredOn(shard -> shard.equals(Map.of("count", 0L)))
                .hasSize(9);
        assertThat(shards.values())
                .filteredOn(shard -> shard.equals(Map.of("count", 5L)))
                .hasSize(1);
    }

    @Test
    void shardOnFirstUse_isCreatedAloneWithTheCounter() {
        try (TestStore lazy = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                .seeding(Seeding.ON_FIRST_USE)
                .shards(1000)
                .build())) {
            lazy.counters().counter(name).add(5);
            assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 1000L));
            assertThat(store.shards(name).values()).containsExactly(Map.of("count", 5L));
            lazy.counters().counter(name).add(2);
            assertThat(store.shards(name).values())
                    .allMatch(shard -> shard.keySet().equals(Set.of("count")))
                    .hasSizeLessThanOrEqualTo(2);
        }
        assertThat(counter.get()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"num_shards", "numShards"})
    void counterOfTheRecipe_isAddedToAndRead(String field) {
        TestStore.await(store.counter(name).set(Map.of(field, 3L, "title", "foreign")));
        for (int shard = 0; shard < 3; shard++) {
            TestStore.await(store.shard(name, shard).set(Map.of("count", 100L)));
        }
        for (int i = 0; i < 40; i++) {
            counter.add(1);
        }
        assertThat(counter.get()).isEqualTo(340);
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of(field, 3L, "title", "foreign"));
        assertThat(store.shards(name).keySet()).containsExactly("0", "1", "2");
        assertThat(store.shards(name).values()).as("40 adds on 3 shards").doesNotContain(Map.of("count", 100L));
    }

    @Test
    void nameThatFirestoreRejects_isStoredUnderItsEscapedId() {
        String awkward = name + "/a%/b";
        store.counters().counter(awkward).add(1);
        assertThat(store.data(store.raw().collection("counters").document(name + "%2Fa%25%2Fb")))
                .isEqualTo(Map.of("num_shards", 10L));
    }

    @Test
    void addWithAToken_storesItsToken() {
        Instant before = Instant.now();
        counter.add(-7, token);
        assertToken(token, before, Map.of("kind", "ADD", "name", name, "delta", -7L));
        assertThat(store.all(tokens)).as("one marker covers the commit").hasSize(1);
    }

    @Test
    void addsWithoutTokens_shareTheTokenOfTheirCommit() {
        counter.add(3);
        assertOnlyToken(Map.of("kind", "ADDS"));
    }

    @Test
    void appendWithAToken_storesItsToken() {
        Instant before = Instant.now();
        sequence.append(Map.of());
        sequence.append(Change.ADDED, "order 1", Map.of("a", 1L), token);
        assertToken(
                token,
                before,
                Map.of(
                        "kind",
                        "APPEND",
                        "name",
                        name,
                        "numbers",
                        List.of(2L),
                        "change",
                        "ADDED",
                        "subject",
                        "order 1"));
    }

    @Test
    void appendWithoutAToken_storesTheTokenOfItsCommit() {
        sequence.append(Map.of());
        assertOnlyToken(Map.of("kind", "APPENDS", "name", name, "numbers", List.of(1L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset", "delete", "seal", "erase"})
    void otherChange_storesTheTokenOfItsCommit(String change) {
        IdempotencyToken first = IdempotencyToken.of(TestStore.name());
        IdempotencyToken second = IdempotencyToken.of(TestStore.name());
        counter.add(1, first);
        sequence.append(Map.of(), second);
        switch (change) {
            case "reset" -> counter.reset();
            case "delete" -> counter.delete();
            case "seal" -> sequence.seal("elsewhere");
            default -> sequence.erase(1);
        }
        TestStore.await(document(first).delete());
        TestStore.await(document(second).delete());
        assertOnlyToken(Map.of("kind", "DONE", "name", name));
    }

    @Test
    void transaction_storesItsToken() {
        Instant before = Instant.now();
        store.backend()
                .transact(token, transaction -> {
                    transaction.add(name, 1);
                    transaction.append(name, Map.of());
                    transaction.append(name, Map.of());
                })
                .join();
        assertToken(token, before, Map.of("kind", "TRANSACTION", "name", "transaction", "numbers", List.of(1L, 2L)));
    }

    @Test
    void tokenResolvedBeforeUse_staysVoid() {
        Instant before = Instant.now();
        assertThat(store.counters().resolve(token)).isEqualTo(new Resolution.NotApplied());
        assertToken(token, before, Map.of("kind", "VOID"));
        assertThatExceptionOfType(TokenRefusedException.class).isThrownBy(() -> counter.add(1, token));
        assertThat(store.shards(name)).isEmpty();
        assertThat(store.data(store.counter(name))).isNull();
        assertToken(token, before, Map.of("kind", "VOID"));
    }

    @Test
    void tokens_outliveTheirCounterAndExpireAfterTheRetention() {
        Instant before = Instant.now();
        try (TestStore other = store.onTheSameDatabase(FirestoreCounterOptions.builder()
                .tokenCollection(tokens)
                .retention(Duration.ofHours(300))
                .build())) {
            other.counters().counter(name).add(1, token);
            other.counters().counter(name).delete();
        }
        assertExpires(Objects.requireNonNull(store.data(document(token))), before, Duration.ofHours(300));
        counter.add(1, token);
        assertThat(counter.get()).isZero();
    }

    @Test
    void foreignDocument_isNeitherReadAsATokenNorOverwritten() {
        TestStore.await(document(token).set(Map.of("foreign", "field")));
        // The change of the token is unknown, so the outcome is not reported as not applied.
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> counter.add(1, token))
                .withStackTraceContaining("'" + document(token).getPath() + "' was not written by CounterKit");
        assertThat(store.data(document(token))).isEqualTo(Map.of("foreign", "field"));
        assertThat(counter.get()).isZero();
    }

    /** Returns the document of a token. Its id is a hash, so that successive tokens are scattered. */
    private DocumentReference document(IdempotencyToken of) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(of.value().getBytes(StandardCharsets.UTF_8));
            return store.raw()
                    .collection(tokens)
                    .document(Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void assertToken(IdempotencyToken of, Instant before, Map<String, ?> expected) {
        Map<String, Object> fields =
                new HashMap<>(Objects.requireNonNull(store.data(document(of)), "no token document"));
        assertExpires(fields, before, Duration.ofHours(24));
        fields.remove("expires");
        Map<String, Object> complete = new HashMap<>(expected);
        complete.put("token", of.value());
        complete.put("place", "counters//shards//count//sequences");
        assertThat(fields).isEqualTo(complete);
    }

    private void assertOnlyToken(Map<String, ?> expected) {
        assertThat(store.all(tokens)).hasSize(1);
        Map<String, Object> fields =
                new HashMap<>(store.all(tokens).values().iterator().next());
        assertThat(fields.remove("expires")).isInstanceOf(Timestamp.class);
        assertThat(fields.remove("token")).asString().startsWith("~ck:");
        assertThat(fields.remove("place")).isEqualTo("counters//shards//count//sequences");
        assertThat(fields).isEqualTo(expected);
    }

    private static void assertExpires(Map<String, Object> marker, Instant before, Duration retention) {
        assertThat(marker.get("expires")).isInstanceOf(Timestamp.class);
        Instant expires = Instant.ofEpochSecond(((Timestamp) marker.get("expires")).getSeconds());
        assertThat(expires)
                .isBetween(
                        before.minusSeconds(1).plus(retention),
                        Instant.now().plusSeconds(1).plus(retention).plus(TokenRetention.MARGIN));
    }
}
