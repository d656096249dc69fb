package io.counterkit.verification.broken.counter;

import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Chapters 2 and 8, continued: batches of the declared size, and counters with many adds. */
public final class LedgerFlaws {
    private static final int PAGE = 1_000;

    private LedgerFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("declares larger batches than it carries out", "2.9")
                        .batched(BatchLimits.ofWeight(5_000))
                        .counters(DeclaresTooMuch::new),
                Flaw.that("weighs some adds more than a batch may weigh", "2.9")
                        .batched(BatchLimits.ofWeight(100))
                        .counters(WeighsTooMuch::new),
                Flaw.that("drops what a batch of adds has beyond 64 KiB", "2.9")
                        .batched(BatchLimits.ofWeight(500))
                        .counters(DropsLargeBatches::new),
                Flaw.that("resets no more than 1,000 adds", "8.9").counters(Ledger::new, ResetsAPage::new),
                Flaw.that("deletes no more than 1,000 adds", "8.9").counters(Ledger::new, DeletesAPage::new),
                Flaw.that("seals the total of no more than 1,000 adds", "8.9").counters(Ledger::new, SealsAPage::new),
                Flaw.that("ignores resets in a snapshot of 1,000 adds", "8.9")
                        .counters(ConcurrentHashMap::new, SnapshotsAdds::new));
    }

    private static final class DeclaresTooMuch extends ForwardingCounterStore {
        private static final int MOST = 600;

        DeclaresTooMuch(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return requests.size() > MOST
                    ? CompletableFuture.failedFuture(new NotAppliedException("too many statements"))
                    : store.add(requests, commit);
        }
    }

    private static final class WeighsTooMuch extends ForwardingCounterStore {
        WeighsTooMuch(CounterStore store) {
            super(store);
        }

        @Override
        public int weight(AddRequest request) {
            return request.name().length();
        }
    }

    private static final class DropsLargeBatches extends ForwardingCounterStore {
        private static final int MOST = 64 * 1024;

        DropsLargeBatches(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            int size = 0;
            List<AddRequest> sent = new ArrayList<>();
            for (AddRequest request : requests) {
                size += request.name().length()
                        + (request.token() == null ? 0 : request.token().value().length());
                if (size <= MOST) {
                    sent.add(request);
                }
            }
            return store.add(sent, commit).thenApply(results -> {
                List<Result<Void>> all = new ArrayList<>(results);
                while (all.size() < requests.size()) {
                    all.add(Result.applied());
                }
                return all;
            });
        }
    }

    /** The adds of each counter, in their order. */
    private static final class Ledger {
        private final Map<String, List<Long>> rows = new ConcurrentHashMap<>();
        private final Set<String> tokens = ConcurrentHashMap.newKeySet();

        synchronized void add(List<AddRequest> requests, List<Result<Void>> results) {
            for (int i = 0; i < requests.size(); i++) {
                AddRequest request = requests.get(i);
                boolean isNew =
                        request.token() == null || tokens.add(request.token().value());
                if (results.get(i).isApplied() && isNew) {
                    rows.computeIfAbsent(request.name(), none -> new ArrayList<>())
                            .add(request.delta());
                }
            }
        }

        /** Removes the rows of the first page and returns the sum of the others. */
        synchronized long clearAPage(String name) {
            List<Long> all = rows.getOrDefault(name, new ArrayList<>());
            List<Long> rest = new ArrayList<>(all.subList(Math.min(PAGE, all.size()), all.size()));
            rows.put(name, rest);
            return rest.stream().mapToLong(Long::longValue).sum();
        }

        synchronized void clear(String name) {
            rows.remove(name);
        }

        synchronized long sumOfAPage(String name) {
            return rows.getOrDefault(name, List.of()).stream()
                    .limit(PAGE)
                    .mapToLong(Long::longValue)
                    .sum();
        }

        synchronized boolean isLong(String name) {
            return rows.getOrDefault(name, List.of()).size() > PAGE;
        }
    }

    private abstract static class HasALedger extends ForwardingCounterStore {
        final Ledger ledger;

        HasALedger(CounterStore store, Ledger ledger) {
            super(store);
            this.ledger = ledger;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                ledger.add(requests, results);
                return results;
            });
        }

        CompletableFuture<Void> keepTheRest(String name) {
            long rest = ledger.clearAPage(name);
            return rest == 0
                    ? Futures.done(null)
                    : store.add(List.of(new AddRequest(name, rest, null)), Commits.lasting(Duration.ofSeconds(20)))
                            .thenAccept(results -> {});
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(name, commit).thenRun(() -> ledger.clear(name));
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit).thenRun(() -> ledger.clear(name));
        }
    }

    private static final class ResetsAPage extends HasALedger {
        ResetsAPage(CounterStore store, Ledger ledger) {
            super(store, ledger);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return store.reset(name, commit).thenCompose(done -> keepTheRest(name));
        }
    }

    private static final class DeletesAPage extends HasALedger {
        DeletesAPage(CounterStore store, Ledger ledger) {
            super(store, ledger);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.delete(name, commit).thenCompose(done -> keepTheRest(name));
        }
    }

    private static final class SealsAPage extends HasALedger {
        SealsAPage(CounterStore store, Ledger ledger) {
            super(store, ledger);
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return store.seal(name, forward, commit)
                    .thenApply(seal -> ledger.isLong(name)
                            ? new Seal(seal.forward(), ledger.sumOfAPage(name), ledger.sumOfAPage(name))
                            : seal);
        }
    }

    private record Events(AtomicLong adds, AtomicLong cleared) {}

    /** After each 1,000 adds of a counter it stores their sum, and forgets the resets among them. */
    private static final class SnapshotsAdds extends ForwardingCounterStore {
        private final Map<String, Events> events;

        SnapshotsAdds(CounterStore store, Map<String, Events> events) {
            super(store);
            this.events = events;
        }

        private Events of(String name) {
            return events.computeIfAbsent(name, none -> new Events(new AtomicLong(), new AtomicLong()));
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                requests.forEach(request -> {
                    Events of = of(request.name());
                    long cleared = of.adds().incrementAndGet() % PAGE == 0
                            ? of.cleared().getAndSet(0)
                            : 0;
                    if (cleared != 0) {
                        store.add(
                                        List.of(new AddRequest(request.name(), cleared, null)),
                                        Commits.lasting(Duration.ofSeconds(20)))
                                .join();
                    }
                });
                return results;
            });
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            Call call = Commits.lasting(Duration.ofSeconds(20));
            return store.read(List.of(name), Duration.ZERO, call)
                    .thenCompose(totals -> store.reset(name, commit).thenRun(() -> {
                        Result<Reading> total = totals.get(0);
                        of(name).cleared()
                                .addAndGet(total.isApplied() ? total.orThrow().value() : 0);
                    }));
        }
    }
}
