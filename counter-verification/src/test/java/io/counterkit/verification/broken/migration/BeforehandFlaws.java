package io.counterkit.verification.broken.migration;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.WithMigration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 13, continued: what is stated before an import, and copies of entries that were erased before. */
public final class BeforehandFlaws {
    private BeforehandFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("states that it can never import a name", "13.1").migration(RefusesBeforehand::new),
                Flaw.that("keeps no trace of the fields of an entry that is copied as erased", "13.8")
                        .backend(Copies::new, BeforehandFlaws::fillsErased));
    }

    /**
     * The copies of all processes.
     *
     * @param erased the keys of entries that were copied as erased
     * @param filled what later copies of them have stored
     */
    private record Copies(Set<String> erased, Map<String, Entry> filled) {
        Copies() {
            this(ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
        }

        void add(String sequence, Entry entry) {
            String key = key(sequence, entry);
            if (entry.erased()) {
                erased.add(key);
            } else if (erased.contains(key)) {
                filled.put(key, entry);
            }
        }
    }

    private static WithMigration fillsErased(CounterBackend right, Copies copies) {
        return new WithMigration(
                right,
                right.counters(),
                new ForwardingSequenceStore(right.sequences()) {
                    @Override
                    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
                        return store.read(sequence, range, call)
                                .thenApply(entries -> entries.stream()
                                        .map(entry -> copies.filled().getOrDefault(key(sequence, entry), entry))
                                        .toList());
                    }
                },
                new FillsErased(right.migration(), copies));
    }

    private static String key(String sequence, Entry entry) {
        return entry.number() + " " + sequence;
    }

    private static final class RefusesBeforehand extends ForwardingMigrationStore {
        RefusesBeforehand(MigrationStore store) {
            super(store);
        }

        @Override
        public NotAppliedException refusalOf(Kind kind, String name) {
            return new NotAppliedException("'" + name + "' may have other data");
        }
    }

    /** Stores the fields of copies apart from the entries. An entry that is copied as erased has none. */
    private static final class FillsErased extends ForwardingMigrationStore {
        private final Copies copies;

        FillsErased(MigrationStore store, Copies copies) {
            super(store);
            this.copies = copies;
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.copy(sequence, entries, call)
                    .thenRun(() -> entries.forEach(entry -> copies.add(sequence, entry)));
        }
    }
}
