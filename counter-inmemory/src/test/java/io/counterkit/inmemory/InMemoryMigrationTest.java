package io.counterkit.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What the store in memory does for a migration, at either end. */
class InMemoryMigrationTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOON);
    private final InMemoryStore store = InMemoryStore.create(InMemoryOptions.builder()
            .clock(now::get)
            .retention(Duration.ofHours(1))
            .build());
    private final Counters counters = Counters.over(InMemoryBackend.over(store));
    private final MigrationStore migration = InMemoryBackend.over(store).migration();
    private final Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());

    @Test
    void sealKeepsPresenceAndTimeOfACounter() {
        counters.counter("likes").add(5);
        counters.counter("likes").seal("there");
        counters.counter("absent").seal("there");
        now.set(NOON.plusSeconds(1));
        counters.counter("likes").seal("there");
        List<NameState> states = migration
                .states(Kind.COUNTER, List.of("absent", "likes", "open"), call)
                .join();
        assertThat(states).extracting(NameState::isPresent).containsExactly(false, true, false);
        assertThat(states).extracting(NameState::sealedAt).containsExactly(NOON, NOON, null);
        assertThat(states.get(1).seal()).isEqualTo(counters.counter("likes").seal("there"));
        assertThat(counters.counterNames("").names()).containsExactly("likes");
    }

    @Test
    void sealedSequenceIsPresentIfItHasEntries() {
        counters.sequence("orders").next();
        counters.sequence("orders").seal("there");
        counters.sequence("empty").seal("there");
        assertThat(migration
                        .states(Kind.SEQUENCE, List.of("orders", "empty", "open"), call)
                        .join())
                .extracting(NameState::isPresent, NameState::sealedAt)
                .containsExactly(tuple(true, NOON), tuple(false, NOON), tuple(false, null));
    }

    @Test
    void counterIsImportedOnceAlsoAfterDeletionAndRetention() {
        ImportedState base = new ImportedState("old", true, 7, 0);
        assertThat(importBase(Kind.COUNTER, "likes", base)).isEqualTo(base);
        counters.counter("likes").add(1);
        assertThat(importBase(Kind.COUNTER, "likes", new ImportedState("old", true, 9, 0)))
                .isEqualTo(base);
        assertThat(counters.counter("likes").get()).isEqualTo(8);
        counters.counter("likes").delete();
        now.set(NOON.plus(Duration.ofDays(400)));
        assertThat(importBase(Kind.COUNTER, "likes", base)).isEqualTo(base);
        assertThat(counters.counter("likes").get()).isZero();
        assertThat(migration
                        .bases(Kind.COUNTER, List.of("likes", "other"), call)
                        .join())
                .containsExactly(Optional.of(base), Optional.empty());
    }

    @Test
    void absentCounterIsImportedAndStaysAbsent() {
        ImportedState base = new ImportedState("old", false, 0, 0);
        assertThat(importBase(Kind.COUNTER, "likes", base)).isEqualTo(base);
        assertThat(counters.counterNames("").names()).isEmpty();
        counters.counter("likes").add(2);
        assertThat(importBase(Kind.COUNTER, "likes", base)).isEqualTo(base);
        assertThat(counters.counter("likes").get()).isEqualTo(2);
    }

    @Test
    void nameInUseIsNotImported() {
        counters.counter("likes").add(0);
        counters.sequence("orders").next();
        for (Kind kind : Kind.values()) {
            assertThatExceptionOfType(NotAppliedException.class)
                    .isThrownBy(() -> importBase(
                            kind, kind == Kind.COUNTER ? "likes" : "orders", new ImportedState("old", true, 3, 0)));
        }
        assertThat(counters.counter("likes").get()).isZero();
    }

    @Test
    void sequenceContinuesAfterTheLastImportedNumber() {
        Sequence orders = counters.sequence("orders");
        importBase(Kind.SEQUENCE, "orders", new ImportedState("old", true, 2, 4));
        assertThat(orders.tail()).isEqualTo(new Tail(4, 2, null));
        assertThat(orders.append(Map.of()).number()).isEqualTo(5);
        assertThat(orders.tail()).isEqualTo(new Tail(5, 3, null));
        assertThat(orders.read(1, 9)).extracting(Entry::number).containsExactly(5L);
        orders.erase(5);
        assertThat(orders.read(5, 5).get(0).erased()).isTrue();
        assertThat(counters.sequenceNames("").names()).containsExactly("orders");
    }

    @Test
    void copiesAreNotOverwritten() {
        Sequence orders = counters.sequence("orders");
        importBase(Kind.SEQUENCE, "orders", new ImportedState("old", true, 2, 2));
        Entry first = new Entry(1, NOON, Change.ADDED, null, Map.of("a", 1L), 1, false);
        Entry second = new Entry(2, NOON, Change.ADDED, null, Map.of("a", 2L), 2, false);
        migration.copy("orders", List.of(first.withoutFields()), call).join();
        migration.copy("orders", List.of(first, second), call).join();
        orders.next();
        assertThat(orders.read(1, 2)).containsExactly(first.withoutFields(), second);
        assertThat(orders.read(2, 3)).extracting(Entry::number).containsExactly(2L, 3L);
        orders.erase(2);
        assertThat(orders.read(2, 2)).containsExactly(second.withoutFields());
        Entry third = new Entry(3, NOON, Change.ADDED, null, Map.of(), 3, false);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> join(migration.copy("orders", List.of(third), call)));
    }

    @Test
    void importedSubjectDoesNotReplaceAKnownOne() {
        Sequence old = counters.sequence("old");
        old.append(Change.ADDED, "a", Map.of());
        old.append(Change.ADDED, "b", Map.of());
        old.append(Change.REMOVED, "b", Map.of());
        assertThat(migration.subject("old", "a", call).join()).contains(true);
        assertThat(migration.subject("old", "b", call).join()).contains(false);
        assertThat(migration.subject("old", "c", call).join()).isEmpty();
        Sequence orders = counters.sequence("orders");
        importBase(Kind.SEQUENCE, "orders", new ImportedState("old", true, 1, 3));
        migration.importSubject("orders", "a", true, call).join();
        orders.append(Change.REMOVED, "a", Map.of());
        migration.importSubject("orders", "a", true, call).join();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> orders.append(Change.UPDATED, "a", Map.of()));
    }

    @Test
    void failedImportChangesNothing() {
        ImportedState base = new ImportedState("old", true, 7, 0);
        store.faults().inject(Fault.FAIL, Calls.next("likes"));
        assertThatExceptionOfType(NotAppliedException.class).isThrownBy(() -> importBase(Kind.COUNTER, "likes", base));
        assertThat(counters.counter("likes").get()).isZero();
    }

    @Test
    void importWithALostReplyIsApplied() {
        ImportedState base = new ImportedState("old", true, 7, 0);
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("likes"));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> importBase(Kind.COUNTER, "likes", base));
        assertThat(counters.counter("likes").get()).isEqualTo(7);
        assertThat(importBase(Kind.COUNTER, "likes", base)).isEqualTo(base);
    }

    private ImportedState importBase(Kind kind, String name, ImportedState base) {
        return join(migration.importBase(kind, name, base, call));
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
