package io.counterkit.verification.broken.sequence;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 15: what only a reader notices that reads again and again. The API layer keeps rules 15.3 and 15.7. */
public final class FollowFlaws {
    private FollowFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reads entries ahead and returns them later as they were then", "15.1")
                        .sequences(ReadsAhead::new),
                Flaw.that("stops to look at a sequence that does not change", "15.2")
                        .sequences(StopsLooking::new),
                Flaw.that("adds again without the token when the reply is lost", "15.4")
                        .counters(AddsAgain::new),
                Flaw.that("keeps tokens in the process, and answers reads late", "15.5")
                        .counters(Gap::new, RemembersForItself::new),
                Flaw.that("leaves erased entries out of a range", "15.6").sequences(LeavesErasedOut::new),
                Flaw.that("answers with an old tail if the store is slow", "15.8")
                        .sequences(AnswersFromMemory::new),
                Flaw.that("counts a seal in the tail", "15.9").sequences(CountsTheSeal::new));
    }

    private static final class ReadsAhead extends ForwardingSequenceStore {
        private final Map<String, List<Entry>> ahead = new ConcurrentHashMap<>();

        ReadsAhead(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            List<Entry> known = ahead.remove(sequence);
            if (known != null) {
                return Futures.done(known.stream()
                        .filter(entry -> entry.number() >= range.from() && entry.number() <= range.to())
                        .toList());
            }
            NumberRange more = new NumberRange(range.to() + 1, range.to() + Limits.MAX_PAGE);
            return store.read(sequence, range, call)
                    .thenCompose(entries -> store.read(sequence, more, call).thenApply(next -> {
                        ahead.put(sequence, next);
                        return entries;
                    }));
        }
    }

    private static final class StopsLooking extends ForwardingSequenceStore {
        private static final int MOST_LOOKS = 20;

        private final Map<String, AtomicInteger> looks = new ConcurrentHashMap<>();

        StopsLooking(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            AtomicInteger idle = looks.computeIfAbsent(sequence, name -> new AtomicInteger());
            return idle.get() >= MOST_LOOKS
                    ? Futures.done(Tail.EMPTY)
                    : store.tail(sequence, call).thenApply(tail -> {
                        idle.addAndGet(tail.equals(Tail.EMPTY) ? 1 : 0);
                        return tail;
                    });
        }
    }

    private static List<AddRequest> withoutToken(AddRequest add) {
        return List.of(new AddRequest(add.name(), add.delta(), null));
    }

    private static final class AddsAgain extends ForwardingCounterStore {
        AddsAgain(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit),
                    OutcomeUnknownException.class,
                    lost -> store.add(withoutToken(requests.get(0)), Commits.another(commit)));
        }
    }

    private static final class RemembersForItself extends ForwardingCounterStore {
        private final Set<IdempotencyToken> seen = ConcurrentHashMap.newKeySet();
        private final Gap gap;

        RemembersForItself(CounterStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            IdempotencyToken token = requests.get(0).token();
            return token == null || seen.add(token)
                    ? store.add(withoutToken(requests.get(0)), commit)
                    : Futures.done(List.of(Result.applied()));
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            CompletableFuture<List<Result<Reading>>> read = store.read(names, maxStaleness, call);
            gap.meet();
            return read;
        }
    }

    private static final class LeavesErasedOut extends ForwardingSequenceStore {
        LeavesErasedOut(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .filter(entry -> range.size() == 1 || !entry.erased())
                            .toList());
        }
    }

    private static final class AnswersFromMemory extends ForwardingSequenceStore {
        private final Map<String, Tail> known = new ConcurrentHashMap<>();

        AnswersFromMemory(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            CompletableFuture<Tail> read = store.tail(sequence, call).thenApply(tail -> {
                known.put(sequence, tail);
                return tail;
            });
            Tail old = known.get(sequence);
            return old == null ? read : read.copy().completeOnTimeout(old, 50, TimeUnit.MILLISECONDS);
        }
    }

    private static final class CountsTheSeal extends ForwardingSequenceStore {
        CountsTheSeal(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenApply(tail ->
                            tail.seal() == null ? tail : new Tail(tail.last() + 1, tail.liveCount(), tail.seal()));
        }
    }
}
