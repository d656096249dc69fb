package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.Tail;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Chapter 4, continued: what calls of one process share, although each needs its own. */
public final class SharingFlaws {
    private SharingFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("shares a buffer between reads of totals", "4.11")
                        .counters(store -> new SharesNames(store, true)),
                Flaw.that("shares a buffer between reads of several totals", "4.11")
                        .counters(store -> new SharesNames(store, false)),
                Flaw.that("shares a buffer between lists of names", "4.11").counters(SharesPrefixes::new),
                Flaw.that("shares a buffer between reads of tails", "4.11").sequences(SharesTails::new),
                Flaw.that("shares a buffer between reads of entries", "4.11").sequences(SharesRanges::new),
                Flaw.that("returns one list of entries, which callers can change, to all of them", "10.10")
                        .sequences(SharesLists::new),
                Flaw.that("shares a buffer between erasures", "4.11").sequences(SharesErasures::new),
                Flaw.that("shares a buffer between resolutions", "4.11").backend(SharesTokens::new));
    }

    /** Stores the argument of a call, and returns the one that is stored a moment later. */
    private static final class Buffer<T> {
        private final AtomicReference<T> last;

        Buffer(T none) {
            last = new AtomicReference<>(none);
        }

        T pass(T argument) {
            last.set(argument);
            LockSupport.parkNanos(20_000);
            return last.get();
        }
    }

    /** Shares a buffer between the reads of one total, or between those of several. */
    private static final class SharesNames extends ForwardingCounterStore {
        private final Buffer<List<String>> buffer = new Buffer<>(List.of(""));
        private final boolean isOfOne;

        SharesNames(CounterStore store, boolean isOfOne) {
            super(store);
            this.isOfOne = isOfOne;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.read((names.size() == 1) == isOfOne ? buffer.pass(names) : names, maxStaleness, call);
        }
    }

    private static final class SharesPrefixes extends ForwardingCounterStore {
        private final Buffer<String> buffer = new Buffer<>("");

        SharesPrefixes(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(buffer.pass(prefix), cursor, limit, call);
        }
    }

    private static final class SharesTails extends ForwardingSequenceStore {
        private final Buffer<String> buffer = new Buffer<>("");

        SharesTails(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(buffer.pass(sequence), call);
        }
    }

    private static final class SharesRanges extends ForwardingSequenceStore {
        private final Buffer<NumberRange> buffer = new Buffer<>(new NumberRange(1, 1));

        SharesRanges(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, buffer.pass(range), call);
        }
    }

    /** Returns the last list of a range again if its entries are the same. */
    private static final class SharesLists extends ForwardingSequenceStore {
        private final Map<List<Object>, List<Entry>> lists = new ConcurrentHashMap<>();

        SharesLists(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> lists.computeIfAbsent(
                            List.of(sequence, range, entries), unknown -> new ArrayList<>(entries)));
        }
    }

    private static final class SharesErasures extends ForwardingSequenceStore {
        private final Buffer<Long> buffer = new Buffer<>(1L);

        SharesErasures(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.erase(sequence, buffer.pass(number), commit);
        }
    }

    private static final class SharesTokens extends ForwardingCounterBackend {
        private final Buffer<IdempotencyToken> buffer = new Buffer<>(IdempotencyToken.random());

        SharesTokens(CounterBackend backend) {
            super(backend, backend.counters(), backend.sequences());
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return backend.resolve(target == null ? buffer.pass(token) : token, target, call);
        }
    }
}
