package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Tail;
import io.counterkit.datastore.fixture.Threads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Entries that are copied into an imported sequence. */
class EntryCopyTest extends ImportSetup {
    /** Another process copies and erases the same entries just before the commit of a copy. */
    @Test
    void lateCopy_restoresNoErasedFields() {
        importUpTo(60);
        List<Entry> some = List.of(entry(1), entry(7), entry(60));
        beforeTheNextCommit(() -> {
            copy(some);
            some.forEach(entry -> cold().erase(entry.number()));
        });
        copy(some);
        assertThat(cold().read(1, 60))
                .isEqualTo(some.stream().map(Entry::withoutFields).toList());
        assertThat(cold().tail()).isEqualTo(new Tail(60, 5, null));
    }

    @Test
    void concurrentCopies_storeEachEntryOnce() throws Exception {
        importUpTo(60);
        Threads.runAll(store, 4, thread -> copy(entries(1 + 5 * thread, 30 + 5 * thread)));
        assertThat(cold().read(1, 60)).isEqualTo(entries(1, 45));
        assertThat(count("CounterKitEntry")).isEqualTo(46);
    }

    @Test
    void hundredOfTheLargestEntries_areOneCopy() {
        importUpTo(200);
        List<Entry> large = new ArrayList<>();
        for (long number = 1; number <= 100; number++) {
            large.add(new Entry(
                    number,
                    Instant.EPOCH,
                    Change.UPDATED,
                    "s",
                    Map.of("bytes", new byte[32 * 1024 - 5]),
                    number,
                    false));
        }
        copy(large);
        assertThat(cold().read(1, 100)).isEqualTo(large);
        assertThatThrownBy(() -> copy(entries(1, 101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("101");
    }

    @Test
    void numbersBeyondTheBase_areNotCopied() {
        assertThatThrownBy(() -> copy(entries(1, 1)))
                .isInstanceOf(NotAppliedException.class)
                .hasMessageContaining("not imported");
        importUpTo(40);
        assertThatThrownBy(() -> copy(entries(1, 41)))
                .isInstanceOf(NotAppliedException.class)
                .hasMessageContaining("41");
        assertThat(cold().read(1, 40)).isEmpty();
        assertThat(cold().next()).isEqualTo(41);
    }
}
