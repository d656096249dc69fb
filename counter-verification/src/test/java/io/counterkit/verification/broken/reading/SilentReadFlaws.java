package io.counterkit.verification.broken.reading;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NumberRange;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: reads that return a value although the store does not answer. */
public final class SilentReadFlaws {
    private SilentReadFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists no counters if the store does not answer", "7.14")
                        .counters(ListsNoCounters::new),
                Flaw.that("ends a list of counters if the store does not answer", "7.14")
                        .counters(EndsTheList::new),
                Flaw.that("lists no sequences if the store does not answer", "7.14")
                        .sequences(ListsNoSequences::new),
                Flaw.that("lists no largest counters if the store does not answer", "7.14")
                        .counters(FindsNoTop::new),
                Flaw.that("reads no entries if the store does not answer", "7.6", "7.14")
                        .sequences(ReadsNoEntries::new),
                Flaw.that("reports names as absent if the store does not answer", "7.14")
                        .migration(ReportsAbsence::new),
                Flaw.that("reports a subject as unknown if the store does not answer", "7.14")
                        .migration(KnowsNoSubject::new),
                Flaw.that("reports names as not imported if the store does not answer", "7.14")
                        .migration(KnowsNoBase::new),
                Flaw.that("resolves a token as not applied if the store does not answer", "7.14")
                        .backend(ResolvesAsNotApplied::new),
                Flaw.that("resolves a token as applied if the store does not answer", "7.14")
                        .backend(ResolvesAsApplied::new));
    }

    private static <T> CompletableFuture<T> orElse(CompletableFuture<T> read, T value) {
        return Futures.recover(read, CounterException.class, swallowed -> Futures.done(value));
    }

    private static final class ListsNoCounters extends ForwardingCounterStore {
        ListsNoCounters(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return orElse(store.names(prefix, cursor, limit, call), new NamePage(List.of(), null));
        }
    }

    private static final class EndsTheList extends ForwardingCounterStore {
        EndsTheList(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            CompletableFuture<NamePage> page = store.names(prefix, cursor, limit, call);
            return cursor == null ? page : orElse(page, new NamePage(List.of(), null));
        }
    }

    private static final class ListsNoSequences extends ForwardingSequenceStore {
        ListsNoSequences(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return orElse(store.names(prefix, cursor, limit, call), new NamePage(List.of(), null));
        }
    }

    private static final class FindsNoTop extends ForwardingCounterStore {
        FindsNoTop(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return orElse(store.top(prefix, limit, call), List.of());
        }
    }

    private static final class ReadsNoEntries extends ForwardingSequenceStore {
        ReadsNoEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return orElse(store.read(sequence, range, call), List.of());
        }
    }

    private static final class ReportsAbsence extends ForwardingMigrationStore {
        ReportsAbsence(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return orElse(
                    store.states(kind, names, call),
                    Collections.nCopies(names.size(), new NameState(false, null, null)));
        }
    }

    private static final class KnowsNoSubject extends ForwardingMigrationStore {
        KnowsNoSubject(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
            return orElse(store.subject(sequence, subject, call), Optional.empty());
        }
    }

    private static final class KnowsNoBase extends ForwardingMigrationStore {
        KnowsNoBase(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Optional<ImportedState>>> bases(
                ChangeTarget.Kind kind, List<String> names, Call call) {
            return orElse(store.bases(kind, names, call), Collections.nCopies(names.size(), Optional.empty()));
        }
    }

    private static final class ResolvesAsNotApplied extends ForwardingCounterBackend {
        ResolvesAsNotApplied(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return orElse(backend.resolve(token, origin, call), new Resolution.NotApplied());
        }
    }

    private static final class ResolvesAsApplied extends ForwardingCounterBackend {
        ResolvesAsApplied(CounterBackend right) {
            super(right);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget origin, Call call) {
            return orElse(backend.resolve(token, origin, call), new Resolution.Done("something"));
        }
    }
}
