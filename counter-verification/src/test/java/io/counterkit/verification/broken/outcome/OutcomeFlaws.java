package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Chapter 7: failure and outcome. */
public final class OutcomeFlaws {
    private OutcomeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reports a failed add as a success", "7.1").counters(SwallowsFailuresOfAdds::new),
                Flaw.that("reports an applied add as not applied", "5.4", "5.6", "7.1")
                        .counters(ReportsAddsAsNotApplied::new),
                Flaw.that("reports a failed add as a success on the fast path", "7.1")
                        .counters(SwallowsFailuresOfFastPaths::new),
                Flaw.that("reports a failed reset as a success", "7.2").counters(SwallowsFailuresOfResets::new),
                Flaw.that("deletes again after later adds when the reply is lost", "7.3")
                        .counters(DeletesLate::new),
                Flaw.that("reports an applied append as not applied", "5.14", "7.4", "10.14")
                        .sequences(ReportsAppendsAsNotApplied::new),
                Flaw.that("reports a failed erasure as a success", "7.5").sequences(SwallowsFailuresOfErasures::new),
                Flaw.that("reads 0 if the store does not answer", "7.6").counters(ReadsZero::new),
                Flaw.that("reads the tail of an empty sequence if the store does not answer", "7.6")
                        .sequences(ReadsTheEmptyTail::new),
                Flaw.that("answers before the store does", "7.7", "7.8").counters(AnswersFirst::new),
                Flaw.that("does not restore the interrupt flag", "7.8").counters(ForgetsInterrupts::new),
                Flaw.that("is closed by an interrupt", "7.10")
                        .counters(AtomicBoolean::new, IsClosedByAnInterrupt::new));
    }

    /** Fails after an interrupt, as a file channel does. */
    private static final class IsClosedByAnInterrupt extends ForwardingCounterStore {
        private final AtomicBoolean isClosed;

        IsClosedByAnInterrupt(CounterStore store, AtomicBoolean isClosed) {
            super(store);
            this.isClosed = isClosed;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            if (Thread.currentThread().isInterrupted()) {
                isClosed.set(true);
            }
            return isClosed.get()
                    ? CompletableFuture.failedFuture(new NotAppliedException("the file is closed"))
                    : store.add(requests, commit);
        }
    }

    private static final class SwallowsFailuresOfAdds extends ForwardingCounterStore {
        SwallowsFailuresOfAdds(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit),
                    CounterException.class,
                    swallowed -> Futures.done(Collections.nCopies(requests.size(), Result.applied())));
        }
    }

    private static final class SwallowsFailuresOfFastPaths extends ForwardingCounterStore {
        SwallowsFailuresOfFastPaths(CounterStore store) {
            super(store);
        }

        @Override
        public FastPath fastPath(String name) {
            return delta -> {
                Commit commit = Commits.lasting(Duration.ofSeconds(20));
                CompletableFuture<?> added = store.add(List.of(new AddRequest(name, delta, null)), commit);
                return added.isDone();
            };
        }
    }

    private static final class ReportsAddsAsNotApplied extends ForwardingCounterStore {
        ReportsAddsAsNotApplied(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit),
                    OutcomeUnknownException.class,
                    lost -> CompletableFuture.failedFuture(new NotAppliedException("no reply", lost)));
        }
    }

    private static final class SwallowsFailuresOfResets extends ForwardingCounterStore {
        SwallowsFailuresOfResets(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return Futures.recover(store.reset(name, commit), CounterException.class, swallowed -> Futures.done(null));
        }
    }

    /** Postpones the repetition until after the next add. */
    private static final class DeletesLate extends ForwardingCounterStore {
        private volatile boolean owing;

        DeletesLate(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return Futures.recover(store.delete(name, commit), OutcomeUnknownException.class, lost -> {
                owing = true;
                return Futures.done(null);
            });
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Void>>> added = store.add(requests, commit);
            if (!owing) {
                return added;
            }
            owing = false;
            return added.thenCompose(results -> store.delete(requests.get(0).name(), Commits.another(commit))
                    .thenApply(deleted -> results));
        }
    }

    private static final class ReportsAppendsAsNotApplied extends ForwardingSequenceStore {
        ReportsAppendsAsNotApplied(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return Futures.recover(
                    store.append(sequence, requests, commit),
                    OutcomeUnknownException.class,
                    lost -> CompletableFuture.failedFuture(new NotAppliedException("no reply", lost)));
        }
    }

    private static final class SwallowsFailuresOfErasures extends ForwardingSequenceStore {
        SwallowsFailuresOfErasures(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return Futures.recover(
                    store.erase(sequence, number, commit), CounterException.class, swallowed -> Futures.done(true));
        }
    }

    private static final class ReadsZero extends ForwardingCounterStore {
        ReadsZero(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            Result<Reading> zero = Result.of(new Reading(0, Instant.EPOCH, Duration.ZERO));
            return Futures.recover(
                    store.read(names, maxStaleness, call),
                    CounterException.class,
                    swallowed -> Futures.done(Collections.nCopies(names.size(), zero)));
        }
    }

    private static final class ReadsTheEmptyTail extends ForwardingSequenceStore {
        ReadsTheEmptyTail(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return Futures.recover(
                    store.tail(sequence, call), CounterException.class, swallowed -> Futures.done(Tail.EMPTY));
        }
    }

    private static final class AnswersFirst extends ForwardingCounterStore {
        AnswersFirst(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<?> unawaited = store.add(requests, commit);
            return unawaited.isCancelled()
                    ? CompletableFuture.failedFuture(new NotAppliedException("cancelled"))
                    : Futures.done(Collections.nCopies(requests.size(), Result.applied()));
        }
    }

    private static final class ForgetsInterrupts extends ForwardingCounterStore {
        ForgetsInterrupts(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            CompletableFuture<List<Result<Void>>> added = store.add(requests, commit);
            try {
                added.get(commit.remaining().toNanos(), TimeUnit.NANOSECONDS);
                return added;
            } catch (ExecutionException e) {
                return added;
            } catch (InterruptedException | TimeoutException e) {
                return CompletableFuture.failedFuture(new OutcomeUnknownException("no reply", commit.token(), e));
            }
        }
    }
}
