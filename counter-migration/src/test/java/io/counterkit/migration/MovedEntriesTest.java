package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.spi.ChangeTarget.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
}
