package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.TransactionResult;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * The content of the checked-in listing, written and read through a backend of any client.
 *
 * @param transact appends to "orders" and adds 1 to "likes" in a transaction under {@link #TRANSACTION}
 */
public record StoredScenario(CounterBackend backend, Supplier<TransactionResult> transact) {
    public static final String LISTING = "stored-0.1.txt";

    /** The listing of a token that a purge has seen. */
    public static final String AFTER_A_PURGE = "stored-0.1-purge.txt";

    public static final IdempotencyToken ADD = IdempotencyToken.of("add-17");
    private static final IdempotencyToken APPEND = IdempotencyToken.of("append-17");
    /** The token of the transaction. */
    public static final IdempotencyToken TRANSACTION = IdempotencyToken.of("transaction-17");

    private static final IdempotencyToken VOID = IdempotencyToken.of("void-17");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123Z");
    private static final Map<String, Object> FIELDS =
            Map.of("text", "é", "whole", Long.MAX_VALUE, "real", 0.5, "yes", true, "at", NOON, "__x__", "reserved");

    private static final ImportedState TOTAL = new ImportedState("elsewhere", true, 41, 0);
    private static final ImportedState END = new ImportedState("elsewhere", true, 1, 3);
    private static final ImportedState NOTHING = new ImportedState("elsewhere", false, 0, 0);
    private static final Entry COPIED = new Entry(2, NOON, Change.UPDATED, "order-1", FIELDS, 1, false);

    /** Stores everything that a backend can store. */
    public void write() {
        Counters counters = Counters.over(backend);
        counters.counter("likes").add(5, ADD);
        counters.counter("likes").add(-2);
        counters.counter("a/b|c").increment();
        counters.counter("a/b|c").reset();
        counters.counter("gone").increment();
        counters.counter("gone").delete();
        counters.counter("closed").add(9);
        counters.counter("closed").seal("elsewhere");
        Sequence orders = counters.sequence("orders");
        orders.append(Change.ADDED, "order-1", FIELDS, APPEND);
        orders.append(Change.UPDATED, "order-1", Map.of("bytes", new byte[] {0, -1}));
        orders.append(Change.REMOVED, "order-1", Map.of());
        orders.append(Map.of("secret", "gone"));
        orders.erase(4);
        List<AppendRequest> two = Collections.nCopies(2, new AppendRequest(Change.ADDED, null, Map.of(), null));
        backend.sequences().append("orders", two, commit()).join();
        TransactionResult unused = transact.get();
        counters.sequence("closed").next();
        counters.sequence("closed").seal("elsewhere");
        assertThat(counters.resolve(VOID)).isEqualTo(new Resolution.NotApplied());
        MigrationStore migration = backend.migration();
        migration
                .importBase(ChangeTarget.Kind.COUNTER, "moved", TOTAL, commit())
                .join();
        migration
                .importBase(ChangeTarget.Kind.COUNTER, "never", NOTHING, commit())
                .join();
        migration.importBase(ChangeTarget.Kind.SEQUENCE, "moved", END, commit()).join();
        migration.importSubject("moved", "order-1", true, commit()).join();
        migration.copy("moved", List.of(COPIED), commit()).join();
        counters.sequence("moved").append(Map.of());
    }

    /** Reads the listed counters and sequences, and continues them. */
    public void assertIsReadAndContinued() {
        Counters counters = Counters.over(backend);
        assertThat(counters.counter("likes").get()).isEqualTo(4);
        assertThat(counters.counter("a/b|c").get()).isZero();
        assertThat(counters.counter("gone").get()).isZero();
        assertThat(counters.counterNames("").names()).containsExactly("a/b|c", "closed", "likes", "moved");
        assertThat(counters.sequenceNames("").names()).containsExactly("closed", "moved", "orders");

        assertThat(counters.resolve(ADD)).isEqualTo(new Resolution.Added("likes", 5));
        assertThat(counters.resolve(APPEND)).isEqualTo(new Resolution.Appended("orders", 1));
        counters.counter("likes").add(5, ADD);
        counters.counter("likes").add(10);
        assertThat(counters.counter("likes").get()).isEqualTo(14);
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> counters.counter("likes").add(1, VOID));
        assertThat(transact.get()).isEqualTo(new TransactionResult(List.of(7L), true));
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> counters.counter("closed").increment())
                .withMessageContaining("elsewhere");
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> counters.sequence("closed").next())
                .withMessageContaining("elsewhere");

        Sequence orders = counters.sequence("orders");
        List<Entry> entries = orders.read(1, 10);
        assertThat(entries).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
        assertThat(entries.get(0).fields()).isEqualTo(FIELDS);
        assertThat(entries.get(0).subject()).isEqualTo("order-1");
        assertThat((byte[]) entries.get(1).fields().get("bytes")).containsExactly(0, -1);
        assertThat(entries).extracting(Entry::erased).containsExactly(false, false, false, true, false, false, false);
        assertThat(entries).extracting(Entry::liveCount).containsExactly(1L, 1L, 0L, 1L, 2L, 3L, 4L);
        orders.erase(1);
        assertThat(orders.append(Change.ADDED, "order-1", Map.of()).number()).isEqualTo(8);
        assertThat(orders.liveCount()).isEqualTo(5);
    }

    /** Reads what the listed imports left, and continues it. */
    public void assertImportsAreReadAndContinued() {
        Counters counters = Counters.over(backend);
        assertThat(counters.counter("moved").get()).isEqualTo(41);
        assertThat(counters.counter("never").get()).isZero();
        Sequence moved = counters.sequence("moved");
        assertThat(moved.last()).isEqualTo(4);
        assertThat(moved.liveCount()).isEqualTo(2);
        assertThat(moved.read(1, 10)).hasSize(2).first().isEqualTo(COPIED);
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.ADDED, "order-1", Map.of()));
        assertThat(moved.append(Change.REMOVED, "order-1", Map.of()).number()).isEqualTo(5);
        MigrationStore migration = backend.migration();
        assertThat(migration
                        .importBase(ChangeTarget.Kind.COUNTER, "never", TOTAL, commit())
                        .join())
                .isEqualTo(NOTHING);
        assertThat(migration
                        .bases(ChangeTarget.Kind.SEQUENCE, List.of("moved", "orders"), commit())
                        .join())
                .containsExactly(Optional.of(END), Optional.empty());
    }

    /** Returns a listing. */
    public static List<String> checkedIn(String listing) throws IOException {
        try (InputStream in = StoredScenario.class.getResourceAsStream(listing)) {
            assertThat(in).as(listing).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static Commit commit() {
        return new Commit(Duration.ofSeconds(20), new Random(), CountersListener.disabled());
    }
}
