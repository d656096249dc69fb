package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import com.google.cloud.firestore.WriteBatch;
import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.StoreError;
import io.counterkit.firestore.internal.token.TokenDocument;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests tenants of one database that share the collection of tokens but no other. They do not affect each other, and
 * tokens of a version without places stay valid.
 */
@Tag("exhaustive")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TokenPlacesTest {
    private static final int SHARDS = 1;

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Firestore raw = fixture.client();
    private final String database = UUID.randomUUID().toString();
    private final String tokens = "tokens-" + database;
    private final FirestoreCounterBackend a = tenant("a");
    private final FirestoreCounterBackend b = tenant("b");
    private final Counters countersA = Counters.over(a);
    private final Counters countersB = Counters.over(b);
    private final IdempotencyToken token = IdempotencyToken.of(TestStore.name());

    @AfterEach
    void close() {
        countersA.close();
        countersB.close();
        fixture.close();
    }

    private FirestoreCounterOptions.Builder options(String tenant) {
        String path = "tenants-" + database + "/" + tenant;
        return FirestoreCounterOptions.builder()
                .counterCollection(path + "/counters")
                .sequenceCollection(path + "/sequences")
                .tokenCollection(tokens)
                .shards(SHARDS);
    }

    private FirestoreCounterBackend tenant(String tenant) {
        return FirestoreCounterBackend.create(fixture.client(), options(tenant).build());
    }

    @ParameterizedTest
    @EnumSource
    void add_countsOnceForEach(WriteStrategy strategy) {
        try (Counters one = Counters.over(FirestoreCounterBackend.create(
                        fixture.client(), options("x").writeStrategy(strategy).build()));
                Counters other = Counters.over(FirestoreCounterBackend.create(
                        fixture.client(), options("y").writeStrategy(strategy).build()))) {
            for (int time = 0; time < 3; time++) {
                for (Counters counters : List.of(one, other)) {
                    counters.counter("likes").add(5, token);
                    assertThat(counters.resolve(token)).isEqualTo(new Resolution.Added("likes", 5));
                    assertThatExceptionOfType(TokenRefusedException.class)
                            .isThrownBy(() -> counters.counter("likes").add(6, token));
                }
            }
            assertThat(one.counter("likes").get()).isEqualTo(5);
            assertThat(other.counter("likes").get()).isEqualTo(5);
        }
    }

    /** Tests with equal collections of sequences. */
    @Test
    void add_countsOnceForEach_whereOnlyTheCollectionsOfCountersDiffer() {
        for (String tenant : List.of("x", "y", "x", "y")) {
            FirestoreCounterOptions only = FirestoreCounterOptions.builder()
                    .counterCollection("tenants-" + database + "/" + tenant + "/counters")
                    .tokenCollection(tokens)
                    .build();
            try (Counters counters = Counters.over(FirestoreCounterBackend.create(fixture.client(), only))) {
                counters.counter("likes").add(5, token);
                assertThat(counters.counter("likes").get()).as(tenant).isEqualTo(5);
            }
        }
    }

    @Test
    void append_appendsOnceForEach() {
        countersB.sequence("orders").append(Map.of("of", "b, earlier"));
        for (int time = 0; time < 3; time++) {
            assertThat(countersA.sequence("orders").append(Map.of("of", "a"), token))
                    .extracting(Entry::number, Entry::fields)
                    .containsExactly(1L, Map.of("of", "a"));
            assertThat(countersB.sequence("orders").append(Map.of("of", "b"), token))
                    .extracting(Entry::number, Entry::fields)
                    .containsExactly(2L, Map.of("of", "b"));
        }
        assertThat(countersA.resolve(token)).isEqualTo(new Resolution.Appended("orders", 1));
        assertThat(countersB.resolve(token)).isEqualTo(new Resolution.Appended("orders", 2));
        assertThat(countersA.sequence("orders").last()).isEqualTo(1);
        assertThat(countersB.sequence("orders").last()).isEqualTo(2);
    }

    @Test
    void resolve_decidesForItsOwnTenant() {
        assertThat(countersA.resolve(token)).isEqualTo(new Resolution.NotApplied());
        countersB.counter("likes").add(5, token);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> countersA.counter("likes").add(5, token));
        assertThat(countersB.resolve(token)).isEqualTo(new Resolution.Added("likes", 5));
        assertThat(countersA.resolve(token)).isEqualTo(new Resolution.NotApplied());

        IdempotencyToken other = IdempotencyToken.random();
        countersA.counter("likes").add(5, other);
        for (Counters first : List.of(countersB, Counters.over(tenant("b")))) {
            assertThat(first.resolve(other)).isEqualTo(new Resolution.NotApplied());
            assertThatExceptionOfType(TokenRefusedException.class)
                    .isThrownBy(() -> first.counter("likes").add(5, other));
        }
        assertThat(countersA.counter("likes").get()).isEqualTo(5);
        assertThat(countersB.counter("likes").get()).isEqualTo(5);
    }

    @Test
    void transaction_isAppliedOnceForEach() {
        for (int time = 0; time < 3; time++) {
            for (FirestoreCounterBackend tenant : List.of(a, b)) {
                TransactionResult done = tenant.transact(token, transaction -> {
                            transaction.add("likes", 5);
                            transaction.append("orders", Map.of());
                        })
                        .join();
                assertThat(done).isEqualTo(new TransactionResult(List.of(1L), time > 0));
            }
        }
        assertThat(countersA.counter("likes").get()).isEqualTo(5);
        assertThat(countersB.counter("likes").get()).isEqualTo(5);
        assertKeptFor(b);
    }

    /** Sends one commit to both tenants, as a migration from one to the other does. */
    @Test
    void oneCommitAtBothTenants_isAppliedAtBoth() {
        for (FirestoreCounterBackend tenant : List.of(a, b)) {
            add(tenant, 3, null, commit());
            append(tenant, null, commit());
            append(tenant, null, commit());
        }
        Commit add = commit();
        Commit append = commit();
        Commit erase = commit();
        Commit reset = commit();
        Commit delete = commit();
        Commit seal = commit();
        for (FirestoreCounterBackend tenant : List.of(a, b)) {
            add(tenant, 4, null, add);
            assertThat(append(tenant, null, append).number()).isEqualTo(3);
            assertThat(tenant.sequences().erase("orders", 1, erase).join()).isTrue();
        }
        assertThat(countersA.counter("likes").get()).isEqualTo(7);
        assertThat(countersB.counter("likes").get()).isEqualTo(7);
        for (FirestoreCounterBackend tenant : List.of(a, b)) {
            tenant.counters().reset("likes", reset).join();
            tenant.sequences().seal("orders", "elsewhere", seal).join();
        }
        assertThat(countersA.counter("likes").get()).isZero();
        assertThat(countersB.counter("likes").get()).isZero();
        assertThat(countersB.sequence("orders").tail().seal()).isNotNull();
        assertThat(countersB.sequence("orders").read(1, 1).get(0).erased()).isTrue();
        for (FirestoreCounterBackend tenant : List.of(a, b)) {
            tenant.counters().delete("likes", delete).join();
        }
        assertThat(countersB.counterNames("").names()).isEmpty();
    }

    @Test
    void manyTokensOfOneCommit_areEachAppliedOnceForEach() {
        List<AddRequest> requests = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            requests.add(new AddRequest("likes", 1, i % 10 == 0 ? null : IdempotencyToken.of(database + i)));
        }
        List<AddRequest> some = requests.subList(0, 50);
        add(a, some);
        add(b, requests);
        add(a, requests);
        add(b, some);
        assertThat(countersA.counter("likes").get()).isEqualTo(100 + 5);
        assertThat(countersB.counter("likes").get()).isEqualTo(100 + 5);
    }

    /** Retries requests as the API layer does, each time with another commit. */
    private static void add(FirestoreCounterBackend to, List<AddRequest> requests) {
        List<AddRequest> open = requests;
        while (!open.isEmpty()) {
            List<Result<Void>> results = to.counters().add(open, commit()).join();
            List<AddRequest> again = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                if (results.get(i).isRetry()) {
                    again.add(open.get(i));
                } else {
                    assertThat(results.get(i).failure()).isNull();
                }
            }
            open = again;
        }
    }

    @Test
    void manyProcessesOfThreeTenants_sameTokensAtOnce_eachCountsOnceForEach() {
        List<Counters> all = new ArrayList<>();
        for (String tenant : List.of("a", "b", "c", "a", "b", "c")) {
            all.add(Counters.over(tenant(tenant)));
        }
        for (int round = 0; round < 20; round++) {
            IdempotencyToken same = IdempotencyToken.random();
            CompletableFuture.allOf(all.stream()
                            .map(counters -> counters.counter("likes").async().add(1, same))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
        all.forEach(counters -> assertThat(counters.counter("likes").get()).isEqualTo(20));
        all.forEach(Counters::close);
    }

    /** Tests that the first document does not expire before the second tenant's. */
    @Test
    void firstDocument_expiresNoEarlierThanTheSecond() {
        countersA.counter("likes").add(5, token);
        Timestamp soon = Timestamp.ofTimeSecondsAndNanos(Instant.now().getEpochSecond() + 60, 0);
        TestStore.await(first(token).update(TokenDocument.EXPIRES, soon));
        countersB.counter("likes").add(5, token);
        assertKeptFor(b);
        assertThat(TestStore.await(first(token).get()).getString("place"))
                .isEqualTo(a.schema().hashed().place());
        assertThat(countersA.resolve(token)).isEqualTo(new Resolution.Added("likes", 5));
        assertThat(countersB.resolve(token)).isEqualTo(new Resolution.Added("likes", 5));
    }

    /**
     * Asserts that the tenant's document does not expire before its retention ends, nor the first document before it.
     */
    private void assertKeptFor(FirestoreCounterBackend tenant) {
        Instant first = TokenDocument.expires(TestStore.await(first(token).get()));
        Instant second = TokenDocument.expires(TestStore.await(
                raw.document(tenant.schema().hashed().secondToken(token).getPath())
                        .get()));
        assertThat(second).isAfter(Instant.now().plus(Duration.ofHours(24).minusSeconds(60)));
        assertThat(first).isAfterOrEqualTo(second);
    }

    @Test
    void tokensOfAVersionWithoutPlaces_stayValid() {
        addLikeAVersionWithoutPlaces(token, 5);
        IdempotencyToken voided = IdempotencyToken.random();
        TestStore.await(first(voided).create(withoutPlace(voided, Map.of("kind", "VOID"))));

        for (int time = 0; time < 2; time++) {
            countersA.counter("likes").add(5, token);
            assertThat(countersA.resolve(token)).isEqualTo(new Resolution.Added("likes", 5));
            assertThat(countersA.resolve(voided)).isEqualTo(new Resolution.NotApplied());
            assertThatExceptionOfType(TokenRefusedException.class)
                    .isThrownBy(() -> countersA.counter("likes").add(5, voided));
        }
        assertThat(countersA.counter("likes").get()).isEqualTo(5);
    }

    /** Tests a rolling upgrade, with processes of both versions. */
    @Test
    void versionWithoutPlacesBesideThisOne_eachTokenCountsOnce() throws InterruptedException {
        countersA.counter("likes").add(0);
        AtomicInteger applied = new AtomicInteger();
        List<IdempotencyToken> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(IdempotencyToken.random());
        }
        Thread old = new Thread(() -> all.forEach(each -> {
            if (addLikeAVersionWithoutPlaces(each, 1)) {
                applied.incrementAndGet();
            }
        }));
        old.start();
        Counter likes = countersA.counter("likes");
        all.forEach(each -> likes.add(1, each));
        old.join();
        assertThat(likes.get()).isEqualTo(60);
        assertThat(all)
                .allSatisfy(each -> assertThat(countersA.resolve(each)).isEqualTo(new Resolution.Added("likes", 1)));
        assertThat(applied.get()).isBetween(0, 60);
    }

    /** Adds as the version without places did, and returns whether the token was new. */
    private boolean addLikeAVersionWithoutPlaces(IdempotencyToken of, long delta) {
        String likes = a.schema().options().layout().counterCollection() + "/likes";
        while (true) {
            WriteBatch batch = raw.batch()
                    .create(first(of), withoutPlace(of, Map.of("kind", "ADD", "name", "likes", "delta", delta)))
                    .set(raw.document(likes), Map.of("num_shards", (long) SHARDS))
                    .set(
                            raw.document(likes + "/shards/0"),
                            Map.of("count", FieldValue.increment(delta)),
                            SetOptions.merge());
            try {
                batch.commit().get();
                return true;
            } catch (ExecutionException e) {
                if (FirestoreErrors.of(e.getCause()) == StoreError.EXISTS) {
                    return false;
                }
                assertThat(FirestoreErrors.of(e.getCause())).isEqualTo(StoreError.CONTENTION);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static Map<String, Object> withoutPlace(IdempotencyToken token, Map<String, Object> fields) {
        Map<String, Object> document = new HashMap<>(fields);
        document.put("token", token.value());
        document.put("expires", Timestamp.ofTimeSecondsAndNanos(Instant.now().getEpochSecond() + 86_400, 0));
        return document;
    }

    private DocumentReference first(IdempotencyToken of) {
        return raw.document(a.schema().hashed().token(of).getPath());
    }

    private static void add(FirestoreCounterBackend to, long delta, @Nullable IdempotencyToken of, Commit commit) {
        assertThat(to.counters()
                        .add(List.of(new AddRequest("likes", delta, of)), commit)
                        .join()
                        .get(0)
                        .failure())
                .isNull();
    }

    private static Entry append(FirestoreCounterBackend to, @Nullable IdempotencyToken of, Commit commit) {
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), of);
        return to.sequences()
                .append("orders", List.of(request), commit)
                .join()
                .get(0)
                .orThrow();
    }

    private static Commit commit() {
        return new Commit(Duration.ofMinutes(1), new SecureRandom(), CountersListener.disabled());
    }
}
