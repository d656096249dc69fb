package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the checked-in listings of everything a version stores stay readable. A version that writes another format
 * gets its own listing beside the others; the first one is from before tokens had a place.
 */
class CheckedInFormatTest {
    private static final String LISTING = "stored-0.1-seal.txt";
    private static final String WITHOUT_SEALED_COUNTERS = "stored-0.1-place.txt";
    private static final String OF_A_LATER_VERSION = "ofALaterVersion";
    private static final IdempotencyToken ADD = IdempotencyToken.of("add-17");
    private static final IdempotencyToken APPEND = IdempotencyToken.of("append-17");
    private static final IdempotencyToken TRANSACTION = IdempotencyToken.of("transaction-17");
    private static final IdempotencyToken VOID = IdempotencyToken.of("void-17");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");
    private static final Map<String, Object> FIELDS = Map.of(
            "text", "é", "whole", Long.MAX_VALUE, "real", 0.5, "yes", true, "at", NOON, "__x__", "reserved", "a.b", "");

    /** A client of a separate project, which contains nothing else. */
    private final Firestore firestore = FirestoreFixture.emulator().connect("demo-" + UUID.randomUUID());

    private final FirestoreCounterBackend backend = FirestoreCounterBackend.create(
            firestore, FirestoreCounterOptions.builder().shards(1).build());
    private final Counters counters = Counters.over(backend);

    @AfterEach
    void close() {
        counters.close();
        firestore.shutdown();
    }

    @Test
    void storedDocuments_equalTheListing() throws IOException {
        counters.counter("likes").add(5, ADD);
        counters.counter("likes").add(-2);
        counters.counter("a/b").increment();
        counters.counter("a/b").reset();
        counters.counter("gone").increment();
        counters.counter("gone").delete();
        counters.counter("moved").add(3);
        counters.counter("moved").seal("elsewhere");
        counters.counter("never").seal("elsewhere");
        Sequence orders = counters.sequence("orders");
        orders.append(Change.ADDED, "order/1", FIELDS, APPEND);
        orders.append(Change.UPDATED, "order/1", Map.of("bytes", new byte[] {0, -1}));
        orders.append(Change.REMOVED, "order/1", Map.of());
        orders.append(Map.of("secret", "gone"));
        orders.erase(4);
        backend.transact(TRANSACTION, transaction -> {
                    transaction.append("orders", Map.of());
                    transaction.add("likes", 1);
                })
                .join();
        counters.sequence("closed").next();
        counters.sequence("closed").seal("elsewhere");
        assertThat(counters.resolve(VOID)).isEqualTo(new Resolution.NotApplied());
        assertThat(counters.counter("likes").read(Duration.ofNanos(1)).value()).isEqualTo(4);
        DocumentReference likes = firestore.document("counters/likes");
        await().until(() -> TestStore.await(likes.get()).contains("total"));

        List<String> stored = StoredListing.of(firestore);
        Files.write(Path.of("target", LISTING), stored); // to inspect, or to check in
        assertThat(StoredListing.lasting(stored)).isEqualTo(StoredListing.lasting(checkedIn(LISTING)));
    }

    /** Tests with documents that an earlier or a later version has written. */
    @ParameterizedTest
    @CsvSource({
        "stored-0.1.txt, false",
        "stored-0.1.txt, true",
        WITHOUT_SEALED_COUNTERS + ", false",
        WITHOUT_SEALED_COUNTERS + ", true",
        LISTING + ", false",
        LISTING + ", true"
    })
    void listedDocuments_areReadAndExtended(String listing, boolean hasFieldsOfALaterVersion) throws IOException {
        StoredListing.documents(checkedIn(listing)).forEach((path, data) -> {
            Map<String, Object> document = new HashMap<>(data);
            if (hasFieldsOfALaterVersion) {
                document.put(OF_A_LATER_VERSION, "and unknown here");
            }
            TestStore.await(firestore.document(path).set(document));
        });
        assertThat(counters.counter("likes").get()).isEqualTo(4);
        assertThat(counters.counter("likes").read(Duration.ofDays(1_000_000)).value())
                .isEqualTo(4);
        assertThat(counters.counter("a/b").get()).isZero();
        assertThat(counters.counter("gone").get()).isZero();
        if (listing.equals(LISTING)) {
            assertThat(counters.counterNames("").names()).containsExactly("a/b", "likes", "moved");
            assertThat(counters.counter("moved").get()).isEqualTo(3);
            for (String sealed : List.of("moved", "never")) {
                assertThatExceptionOfType(SealedException.class)
                        .isThrownBy(() -> counters.counter(sealed).add(1))
                        .withMessageContaining("elsewhere");
            }
        } else {
            assertThat(counters.counterNames("").names()).containsExactly("a/b", "likes");
        }
        assertThat(counters.sequenceNames("").names()).containsExactly("closed", "orders");

        assertThat(counters.resolve(ADD)).isEqualTo(new Resolution.Added("likes", 5));
        assertThat(counters.resolve(APPEND)).isEqualTo(new Resolution.Appended("orders", 1));
        counters.counter("likes").add(5, ADD);
        counters.counter("likes").add(10);
        assertThat(counters.counter("likes").get()).isEqualTo(14);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter("likes").add(1, VOID));
        assertThat(backend.transact(TRANSACTION, transaction -> {}).join().numbers())
                .containsExactly(5L);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> counters.sequence("closed").next())
                .withMessageContaining("elsewhere");

        Sequence orders = counters.sequence("orders");
        List<Entry> entries = orders.read(1, 10);
        assertThat(entries).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(entries.get(0).fields()).isEqualTo(FIELDS);
        assertThat(entries.get(0).subject()).isEqualTo("order/1");
        assertThat((byte[]) entries.get(1).fields().get("bytes")).containsExactly(0, -1);
        assertThat(entries).extracting(Entry::erased).containsExactly(false, false, false, true, false);
        assertThat(entries).extracting(Entry::liveCount).containsExactly(1L, 1L, 0L, 1L, 2L);
        orders.erase(1);
        assertThat(orders.append(Change.ADDED, "order/1", Map.of()).number()).isEqualTo(6);
        assertThat(orders.liveCount()).isEqualTo(3);
        if (hasFieldsOfALaterVersion) {
            assertThat(StoredListing.of(firestore))
                    .as("of the shard and the entry that were written to")
                    .filteredOn(line -> line.contains(OF_A_LATER_VERSION))
                    .anyMatch(line -> line.startsWith("counters/likes/shards/0 "))
                    .anyMatch(line -> line.startsWith("sequences/orders/entries/9e37-1 "));
        }
    }

    private static List<String> checkedIn(String listing) throws IOException {
        try (InputStream in = CheckedInFormatTest.class.getResourceAsStream(listing)) {
            assertThat(in).as(listing).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
