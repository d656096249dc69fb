package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 10 and 13, continued: large calls, and empty ones. */
public final class LargeCallFlaws {
    private static final int LARGE = 64 * 1024;
    private static final int VERY_LARGE = 1 << 20;

    private LargeCallFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("cuts a page of names after 64 KiB", "1.9").counters(CutsPages::new),
                Flaw.that("declares larger batches of appends than it carries out", "10.24")
                        .batched(BatchLimits.ofWeight(500))
                        .sequences(DeclaresTooMuch::new),
                Flaw.that("weighs some appends more than a batch may weigh", "10.24")
                        .batched()
                        .sequences(WeighsTooMuch::new),
                Flaw.that("returns the state of a repeated name once", "13.12").migration(ReturnsOnce::new),
                Flaw.that("cannot return the states of no names", "13.12").migration(NeedsNames::new),
                Flaw.that("drops what a copy has beyond a megabyte", "13.18").migration(CutsCopies::new),
                Flaw.that("cuts a range of entries after two megabytes", "13.18")
                        .sequences(CutsRanges::new));
    }

    private static final class CutsPages extends ForwardingCounterStore {
        CutsPages(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call)
                    .thenApply(page -> new NamePage(
                            page.names()
                                    .subList(
                                            0,
                                            Math.min(page.names().size(), LARGE / Math.max(1, longest(page.names())))),
                            page.next()));
        }

        private static int longest(List<String> names) {
            return names.stream().mapToInt(String::length).max().orElse(0);
        }
    }

    private static final class DeclaresTooMuch extends ForwardingSequenceStore {
        DeclaresTooMuch(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            long bytes = 0;
            for (AppendRequest request : requests) {
                IdempotencyToken token = request.token();
                String subject = request.subject();
                bytes += (token == null ? 0 : token.value().length()) + (subject == null ? 0 : subject.length());
            }
            return bytes > LARGE
                    ? CompletableFuture.failedFuture(new NotAppliedException("the request is too large"))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class WeighsTooMuch extends ForwardingSequenceStore {
        WeighsTooMuch(SequenceStore store) {
            super(store);
        }

        @Override
        public int weight(AppendRequest request) {
            String subject = request.subject();
            return 1 + (subject == null ? 0 : subject.length() / 10);
        }
    }

    private static final class ReturnsOnce extends ForwardingMigrationStore {
        ReturnsOnce(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
            return store.states(kind, List.copyOf(new LinkedHashSet<>(names)), call);
        }
    }

    private static final class NeedsNames extends ForwardingMigrationStore {
        NeedsNames(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(Kind kind, List<String> names, Call call) {
            return names.isEmpty()
                    ? CompletableFuture.failedFuture(new NotAppliedException("an empty list"))
                    : store.states(kind, names, call);
        }
    }

    /** Returns the first entries whose byte arrays have together at most this size. */
    private static List<Entry> cut(List<Entry> entries, int most) {
        List<Entry> kept = new ArrayList<>();
        long bytes = 0;
        for (Entry entry : entries) {
            for (Object value : entry.fields().values()) {
                bytes += value instanceof byte[] array ? array.length : 0;
            }
            if (bytes <= most) {
                kept.add(entry);
            }
        }
        return kept;
    }

    private static final class CutsCopies extends ForwardingMigrationStore {
        CutsCopies(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
            return store.copy(sequence, cut(entries, VERY_LARGE), call);
        }
    }

    private static final class CutsRanges extends ForwardingSequenceStore {
        CutsRanges(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call).thenApply(entries -> cut(entries, 2 * VERY_LARGE));
        }
    }
}
