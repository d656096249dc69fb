package io.counterkit.verification.broken.migration;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.spi.Call;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Chapter 13, continued: imported subjects and copied entries. */
public final class ImportedEntryFlaws {
    private ImportedEntryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ignores imported subjects", "13.7").migration(KeepsNoSubjects::new),
                Flaw.that("reports an unknown subject as removed", "13.7").migration(KnowsAllSubjects::new),
                Flaw.that("copies entries with the current time", "13.8").migration(CopiesAsOfNow::new),
                Flaw.that("returns entries that were not copied", "13.8").sequences(FillsUp::new));
    }

    private static final class KeepsNoSubjects extends ForwardingMigrationStore {
        KeepsNoSubjects(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private static final class KnowsAllSubjects extends ForwardingMigrationStore {
        KnowsAllSubjects(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return store.subject(sequence, subject, call).thenApply(live -> Optional.of(live.orElse(false)));
        }
    }

    private static final class CopiesAsOfNow extends ForwardingMigrationStore {
        CopiesAsOfNow(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
            List<Entry> changed = new ArrayList<>();
            for (Entry entry : entries) {
                changed.add(new Entry(
                        entry.number(),
                        now,
                        entry.change(),
                        entry.subject(),
                        entry.fields(),
                        entry.liveCount(),
                        entry.erased()));
            }
            return store.copy(sequence, changed, call);
        }
    }

    /** Treats a number without an entry as that of a deleted entry. */
    private static final class FillsUp extends ForwardingSequenceStore {
        FillsUp(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call).thenCombine(store.tail(sequence, call), (read, tail) -> {
                List<Entry> whole = new ArrayList<>(read);
                for (long number = range.from(); number <= Math.min(range.to(), tail.last()); number++) {
                    long missing = number;
                    if (read.stream().noneMatch(entry -> entry.number() == missing)) {
                        whole.add(new Entry(missing, Instant.EPOCH, Change.ADDED, null, Map.of(), missing, true));
                    }
                }
                whole.sort(Comparator.comparingLong(Entry::number));
                return whole;
            });
        }
    }
}
