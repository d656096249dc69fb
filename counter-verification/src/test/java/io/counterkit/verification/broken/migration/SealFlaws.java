package io.counterkit.verification.broken.migration;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
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
import io.counterkit.verification.broken.flaw.Gap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapter 11: sealing, and declared capabilities. */
public final class SealFlaws {
    private SealFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("seals a sequence in one process only", "11.1", "11.3", "11.4")
                        .sequences(store -> new SealsASequence(store, new Seals())),
                Flaw.that("stores a seal as an entry", "11.1", "11.2").sequences(AppendsTheSeal::new),
                Flaw.that("replaces a seal by one with another address", "11.3").sequences(SealsAgain::new),
                Flaw.that("checks for the seal in a separate step before it appends", "11.4")
                        .sequences(Seals::new, SealsASequence::new),
                Flaw.that("checks for the seal before the token", "11.5").sequences(AsksForTheSealFirst::new),
                Flaw.that("reports an applied seal as not applied", "11.6").sequences(ReportsSealsAsNotPut::new),
                Flaw.that("seals a counter in one process only", "11.7", "11.8")
                        .counters(store -> new SealsACounter(store, new Seals())),
                Flaw.that("checks for the seal in a separate step before it adds", "11.8")
                        .counters(Seals::new, SealsACounter::new));
    }

    /** Seals that are stored apart from the sealed names, and the gap between the check and the change. */
    private record Seals(Map<String, Seal> seals, Gap gap) {
        Seals() {
            this(new ConcurrentHashMap<>(), new Gap());
        }
    }

    private static final class SealsASequence extends ForwardingSequenceStore {
        private final Seals seals;

        SealsASequence(SequenceStore store, Seals seals) {
            super(store);
            this.seals = seals;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            seals.gap().pass();
            Seal seal = seals.seals().get(sequence);
            return seal == null
                    ? store.append(sequence, requests, commit)
                    : Futures.done(List.of(Result.failed(new SealedException(sequence, seal))));
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenApply(tail -> new Tail(
                            tail.last(), tail.liveCount(), seals.seals().get(sequence)));
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return store.tail(sequence, commit).thenApply(tail -> {
                seals.gap().await(3);
                return seals.seals()
                        .computeIfAbsent(sequence, unsealed -> new Seal(forward, tail.last(), tail.liveCount()));
            });
        }
    }

    private static final class SealsACounter extends ForwardingCounterStore {
        private final Seals seals;

        SealsACounter(CounterStore store, Seals seals) {
            super(store);
            this.seals = seals;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            seals.gap().pass();
            Seal seal = seals.seals().get(requests.get(0).name());
            return seal == null
                    ? store.add(requests, commit)
                    : Futures.done(List.of(
                            Result.failed(new SealedException(requests.get(0).name(), seal))));
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.read(List.of(name), Duration.ZERO, commit).thenApply(results -> {
                Reading total = results.get(0).orThrow();
                seals.gap().await(3);
                return seals.seals().computeIfAbsent(name, unsealed -> new Seal(forward, total.value(), total.value()));
            });
        }
    }

    private static final class AppendsTheSeal extends ForwardingSequenceStore {
        AppendsTheSeal(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            AppendRequest seal = new AppendRequest(Change.UPDATED, null, Map.of("forward", forward), null);
            return store.append(sequence, List.of(seal), Commits.another(commit))
                    .thenCompose(appended -> store.seal(sequence, forward, commit));
        }
    }

    private static final class SealsAgain extends ForwardingSequenceStore {
        SealsAgain(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return Futures.recover(
                    store.seal(sequence, forward, commit),
                    SealedException.class,
                    refused -> Futures.done(refused.seal()));
        }
    }

    private static final class AsksForTheSealFirst extends ForwardingSequenceStore {
        AsksForTheSealFirst(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.tail(sequence, commit).thenCompose(tail -> {
                Seal seal = tail.seal();
                return seal == null
                        ? store.append(sequence, requests, commit)
                        : Futures.done(List.of(Result.failed(new SealedException(sequence, seal))));
            });
        }
    }

    private static final class ReportsSealsAsNotPut extends ForwardingSequenceStore {
        ReportsSealsAsNotPut(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
            return Futures.recover(
                    store.seal(sequence, forward, commit),
                    OutcomeUnknownException.class,
                    lost -> CompletableFuture.failedFuture(new NotAppliedException("no reply", lost)));
        }
    }
}
