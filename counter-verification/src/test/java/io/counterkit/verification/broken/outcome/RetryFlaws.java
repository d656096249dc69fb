package io.counterkit.verification.broken.outcome;

import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Chapter 7, continued: operations that are retried and report their last attempt. */
public final class RetryFlaws {
    private static final int ONCE = 2;
    private static final int OFTEN = 6;

    private RetryFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("retries an add once and reports its last attempt", "7.12")
                        .counters(store -> new RetriesAdds(store, ONCE)),
                Flaw.that("retries an add often and reports its last attempt", "7.13")
                        .counters(store -> new RetriesAdds(store, OFTEN)),
                Flaw.that("retries a batch often and reports its last attempt", "7.13")
                        .batched()
                        .counters(store -> new RetriesAdds(store, OFTEN)),
                Flaw.that("retries an append once and reports its last attempt", "7.12")
                        .sequences(store -> new RetriesAppends(store, ONCE)),
                Flaw.that("retries an append often and reports its last attempt", "7.13")
                        .sequences(store -> new RetriesAppends(store, OFTEN)),
                Flaw.that("retries a reset often and reports its last attempt", "7.13")
                        .counters(store -> new RetriesResets(store, OFTEN)),
                Flaw.that("retries a deletion often and reports its last attempt", "7.13")
                        .counters(store -> new RetriesDeletions(store, OFTEN)),
                Flaw.that("retries a seal of a counter often and reports its last attempt", "7.13")
                        .counters(store -> new RetriesSeals(store, OFTEN)),
                Flaw.that("retries an erasure often and reports its last attempt", "7.13")
                        .sequences(store -> new RetriesErasures(store, OFTEN)),
                Flaw.that("retries a seal of a sequence often and reports its last attempt", "7.13")
                        .sequences(store -> new RetriesSealsOfSequences(store, OFTEN)),
                Flaw.that("reports an applied seal of a counter as not applied", "7.11")
                        .counters(store -> new RetriesSeals(store, 1)),
                Flaw.that("reports an applied deletion as not applied", "7.3", "7.11")
                        .counters(store -> new RetriesDeletions(store, 1)),
                Flaw.that("reports an applied erasure as not applied", "7.5", "7.11")
                        .sequences(store -> new RetriesErasures(store, 1)));
    }

    /** Retries and keeps only the last failure. */
    private static <T> CompletableFuture<T> retry(int attempts, Supplier<CompletableFuture<T>> call) {
        return Futures.recover(
                call.get(),
                CounterException.class,
                failure -> attempts > 1
                        ? retry(attempts - 1, call)
                        : CompletableFuture.failedFuture(new NotAppliedException("the last attempt failed", failure)));
    }

    private static final class RetriesAdds extends ForwardingCounterStore {
        private final int attempts;

        RetriesAdds(CounterStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return retryAdds(attempts, requests, commit);
        }

        private CompletableFuture<List<Result<Void>>> retryAdds(int left, List<AddRequest> requests, Commit commit) {
            return Futures.recover(
                    store.add(requests, commit),
                    CounterException.class,
                    failure ->
                            left > 1 ? retryAdds(left - 1, requests, commit) : CompletableFuture.failedFuture(failure));
        }
    }

    private static final class RetriesAppends extends ForwardingSequenceStore {
        private final int attempts;

        RetriesAppends(SequenceStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return retryAppends(attempts, sequence, requests, commit);
        }

        private CompletableFuture<List<Result<Entry>>> retryAppends(
                int left, String sequence, List<AppendRequest> requests, Commit commit) {
            return Futures.recover(
                    store.append(sequence, requests, commit),
                    CounterException.class,
                    failure -> left > 1
                            ? retryAppends(left - 1, sequence, requests, commit)
                            : CompletableFuture.failedFuture(failure));
        }
    }

    private static final class RetriesResets extends ForwardingCounterStore {
        private final int attempts;

        RetriesResets(CounterStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return retry(attempts, () -> store.reset(name, commit));
        }
    }

    private static final class RetriesDeletions extends ForwardingCounterStore {
        private final int attempts;

        RetriesDeletions(CounterStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return retry(attempts, () -> store.delete(name, commit));
        }
    }

    private static final class RetriesSeals extends ForwardingCounterStore {
        private final int attempts;

        RetriesSeals(CounterStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return retry(attempts, () -> store.seal(name, forward, commit));
        }
    }

    private static final class RetriesErasures extends ForwardingSequenceStore {
        private final int attempts;

        RetriesErasures(SequenceStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return retry(attempts, () -> store.erase(sequence, number, commit));
        }
    }

    private static final class RetriesSealsOfSequences extends ForwardingSequenceStore {
        private final int attempts;

        RetriesSealsOfSequences(SequenceStore store, int attempts) {
            super(store);
            this.attempts = attempts;
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return retry(attempts, () -> store.seal(sequence, forward, commit));
        }
    }
}
