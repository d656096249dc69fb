package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.migration.fixture.TwoStores;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Entries, subjects and lists of names that are in both stores. */
class MovedEntriesTest extends MigratingSetup {
    @Test
    void subjectsFromBeforeTheMoveAreKnown() {
        old.sequence(name).append(Change.ADDED, "live", Map.of());
        old.sequence(name).append(Change.ADDED, "removed", Map.of());
        old.sequence(name).append(Change.REMOVED, "removed", Map.of());
        Sequence moved = counters.sequence(name);
        moved.next();
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.ADDED, "live", Map.of()));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.UPDATED, "removed", Map.of()));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> moved.append(Change.UPDATED, "unknown", Map.of()));
        assertThat(moved.append(Change.REMOVED, "live", Map.of()).liveCount()).isOne();
        assertThat(moved.append(Change.ADDED, "removed", Map.of()).number()).isEqualTo(6);
    }

    @Test
    void entriesAreReadFromTheStoreThatHoldsThem() {
        for (int i = 1; i <= 4; i++) {
            old.sequence(name).append(Map.of("i", (long) i));
        }
        counters.sequence(name).append(Map.of("i", 5L));
        List<Entry> before = counters.sequence(name).read(1, 9);
        assertThat(before).extracting(Entry::number).containsExactly(1L, 2L, 3L, 4L, 5L);
        backend.target()
                .migration()
                .copy(name, List.of(before.get(1), before.get(3)), call)
                .join();
        assertThat(counters.sequence(name).read(1, 9)).isEqualTo(before);
        assertThat(counters.sequence(name).read(2, 2)).isEqualTo(before.subList(1, 2));
        assertThat(counters.sequence(name).read(3, 4)).isEqualTo(before.subList(2, 4));
        assertThat(counters.sequence(name).read(6, 9)).isEmpty();
    }

    @Test
    void entryIsErasedAtBothStores() {
        old.sequence(name).append(Map.of("a", 1L));
        old.sequence(name).append(Map.of("a", 2L));
        List<Entry> readByACopier = old.sequence(name).read(1, 1);
        counters.sequence(name).append(Map.of("a", 3L));
        counters.sequence(name).erase(1);
        counters.sequence(name).erase(1);
        backend.target().migration().copy(name, readByACopier, call).join();
        counters.sequence(name).erase(3);
        assertThat(counters.sequence(name).read(1, 3)).extracting(Entry::erased).containsExactly(true, false, true);
        assertThat(old.sequence(name).read(1, 2)).extracting(Entry::erased).containsExactly(true, false);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counters.sequence(name).erase(4));
    }

    @Test
    void namesOfBothStoresAreListedOnce() {
        rollout.set(0);
        for (String suffix : List.of("/moved", "/stays", "/deleted", "/was deleted")) {
            counters.counter(name + suffix).increment();
        }
        for (String suffix : List.of("/moved", "/deleted", "/new")) {
            backend.move(Kind.COUNTER, name + suffix, call).join();
        }
        counters.counter(name + "/new").increment();
        counters.counter(name + "/deleted").delete();
        counters.counter(name + "/was deleted").delete();
        for (int limit = 1; limit <= 4; limit++) {
            List<String> names = new CopyOnWriteArrayList<>();
            String cursor = null;
            do {
                var page = counters.counterNames(name, cursor, limit);
                assertThat(page.names()).hasSizeLessThanOrEqualTo(limit);
                names.addAll(page.names());
                cursor = page.next();
            } while (cursor != null);
            assertThat(names).containsExactlyInAnyOrder(name + "/moved", name + "/stays", name + "/new");
        }
    }

    /**
     * Another process erases an entry between the reads of the target and of the source, and gets no further than to
     * the source. The entry then shows its fields to all reads, since it is erased last at the target.
     */
    @Test
    void entryThatIsErasedAtTheSourceOnly_isErasedForNoRead() {
        TwoStores stores = new TwoStores();
        String sequence = stores.addSequence(1);
        stores.counters().sequence(sequence).next();
        Sequence halfErasing = halfErasing(stores);
        Sequence reading = over(
                stores,
                "source.entries",
                () -> assertThatThrownBy(() -> halfErasing.erase(1)).isInstanceOf(NotAppliedException.class));
        reading.next(); // so that the process knows the move

        Entry read = reading.read(1, 1).get(0);

        assertThat(stores.counters().sequence(sequence).read(1, 1)).containsExactly(read);
        assertThat(stores.old().sequence(sequence).read(1, 1).get(0).erased()).isTrue();
    }

    /** A process that has not seen the move repeats the token of such an entry. */
    @Test
    void entryThatIsErasedAtTheSourceOnly_isErasedForNoRepeatedAppend() {
        TwoStores stores = new TwoStores();
        IdempotencyToken token = IdempotencyToken.random();
        String sequence = stores.prefix + "s0";
        Map<String, Object> fields = Map.of("a", 1L);
        stores.rollout.set(0);
        Entry first = stores.counters().sequence(sequence).append(Change.ADDED, "a", fields, token);
        stores.connect().move(Kind.SEQUENCE, sequence, call).join();
        assertThatThrownBy(() -> halfErasing(stores).erase(1)).isInstanceOf(NotAppliedException.class);

        Sequence late = stores.counters().sequence(sequence);
        assertThat(late.append(Change.ADDED, "a", fields, token)).isEqualTo(first);

        stores.counters().sequence(sequence).erase(1);
        Sequence later = stores.counters().sequence(sequence);
        assertThat(later.append(Change.ADDED, "a", fields, token).erased()).isTrue();
    }

    private static Sequence halfErasing(TwoStores stores) {
        return over(stores, "target.erase", () -> {
            throw new NotAppliedException("the target is unreachable");
        });
    }

    /** Returns a sequence of a process that runs a task before its first call of a method. */
    private static Sequence over(TwoStores stores, String method, Runnable task) {
        AtomicBoolean hasRun = new AtomicBoolean();
        return Counters.over(stores.connect(new Connection() {
                    @Override
                    public <T> CompletableFuture<T> pass(
                            String what, Call passing, Supplier<CompletableFuture<T>> carriedOut) {
                        if (what.startsWith(method) && !hasRun.getAndSet(true)) {
                            task.run();
                        }
                        return carriedOut.get();
                    }
                }))
                .sequence(stores.prefix + "s0");
    }
}
