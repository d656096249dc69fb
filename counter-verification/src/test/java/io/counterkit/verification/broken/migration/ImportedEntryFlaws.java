package io.counterkit.verification.broken.migration;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.SealedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Chapter 13, continued: imported subjects and copied entries. */
public final class ImportedEntryFlaws {
    private ImportedEntryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ignores imported subjects", "13.7").migration(KeepsNoSubjects::new),
                Flaw.that("reports an unknown subject as removed", "13.7").migration(KnowsAllSubjects::new),
                copying(
                        "copies entries with the current time",
                        entry -> with(
                                entry,
                                Instant.ofEpochMilli(System.currentTimeMillis()),
                                entry.subject(),
                                entry.fields(),
                                entry.erased())),
                copying(
                        "copies an entry without a subject as one with an empty subject",
                        entry -> with(
                                entry,
                                entry.appendedAt(),
                                Objects.requireNonNullElse(entry.subject(), ""),
                                entry.fields(),
                                entry.erased())),
                copying(
                        "copies an added entry without fields as an erased one",
                        entry -> with(
                                entry,
                                entry.appendedAt(),
                                entry.subject(),
                                entry.fields(),
                                entry.erased()
                                        || (entry.change() == Change.ADDED
                                                && entry.fields().isEmpty()))),
                copying(
                        "converts the time of a copied entry to nanoseconds since 1970",
                        entry -> with(
                                entry, inNanos(entry.appendedAt()), entry.subject(), entry.fields(), entry.erased())),
                copying(
                        "omits a field of a copied entry that has the name of a column",
                        entry -> with(
                                entry,
                                entry.appendedAt(),
                                entry.subject(),
                                without("number", entry.fields()),
                                entry.erased())),
                Flaw.that("compares the numbers of copied entries in floating point", "13.8")
                        .migration(ComparesDoubles::new),
                refusing("copies to a sealed sequence", "MigrationStore.copy", "13.8"),
                refusing("subjects of a sealed sequence", "MigrationStore.importSubject", "13.7"),
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

    /** Accepts numbers after the last one that is equal to them as a double, and stores nothing then. */
    private static final class ComparesDoubles extends ForwardingMigrationStore {
        ComparesDoubles(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.bases(Kind.SEQUENCE, List.of(sequence), call).thenCompose(bases -> {
                long last = bases.get(0).map(ImportedState::last).orElse(0L);
                boolean isAccepted = entries.stream()
                        .map(Entry::number)
                        .anyMatch(number -> number > last && (double) number == (double) last);
                return isAccepted ? CompletableFuture.completedFuture(null) : store.copy(sequence, entries, call);
            });
        }
    }

    private static Flaw refusing(String what, String method, String rule) {
        return Flaw.that("refuses " + what, rule)
                .backend(right -> Intercepted.of(right, sent -> {
                    if (!sent.method().equals(method)) {
                        return sent.pass();
                    }
                    String sequence = sent.argument(0);
                    return right.sequences()
                            .tail(sequence, sent.last())
                            .thenCompose(tail -> tail.seal() == null
                                    ? sent.passOn()
                                    : CompletableFuture.failedFuture(new SealedException(sequence, tail.seal())));
                }));
    }

    /** Copies entries in another form. */
    private static Flaw copying(String does, UnaryOperator<Entry> form) {
        return Flaw.that(does, "13.8").migration(store -> new ForwardingMigrationStore(store) {
            @Override
            public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
                return store.copy(sequence, entries.stream().map(form).toList(), call);
            }
        });
    }

    private static Entry with(
            Entry entry, Instant appendedAt, @Nullable String subject, Map<String, Object> fields, boolean isErased) {
        return new Entry(entry.number(), appendedAt, entry.change(), subject, fields, entry.liveCount(), isErased);
    }

    /** Returns a time as a count of nanoseconds in 64 bits holds it. */
    private static Instant inNanos(Instant time) {
        return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli() * 1_000_000, 1_000_000));
    }

    private static Map<String, Object> without(String column, Map<String, Object> fields) {
        Map<String, Object> others = new HashMap<>(fields);
        others.remove(column);
        return others;
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
