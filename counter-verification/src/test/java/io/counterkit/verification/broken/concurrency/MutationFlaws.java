package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Flaws that the kit missed until mutation testing of the in-memory backend showed them. */
public final class MutationFlaws {
    private MutationFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists sequences from memory once a prefix was listed", "1.6", "11.9")
                        .sequences(ListsFromMemory::new),
                Flaw.that("repeats a name that is the prefix if a page ends with it", "1.5")
                        .counters(RepeatsThePrefix::new),
                Flaw.that("ignores copies of entries after the imported ones", "13.8")
                        .migration(IgnoresLaterCopies::new));
    }

    private static final class ListsFromMemory extends ForwardingSequenceStore {
        private final Map<String, CompletableFuture<NamePage>> pages = new ConcurrentHashMap<>();

        ListsFromMemory(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return pages.computeIfAbsent(
                    prefix + " " + cursor + " " + limit, first -> store.names(prefix, cursor, limit, call));
        }
    }

    private static final class RepeatsThePrefix extends ForwardingCounterStore {
        RepeatsThePrefix(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, prefix.equals(cursor) ? null : cursor, limit, call);
        }
    }

    private static final class IgnoresLaterCopies extends ForwardingMigrationStore {
        IgnoresLaterCopies(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.bases(ChangeTarget.Kind.SEQUENCE, List.of(sequence), call)
                    .thenCompose(bases -> store.copy(
                            sequence,
                            entries.stream()
                                    .filter(entry -> entry.number()
                                            <= bases.get(0).orElseThrow().last())
                                    .toList(),
                            call));
        }
    }
}
