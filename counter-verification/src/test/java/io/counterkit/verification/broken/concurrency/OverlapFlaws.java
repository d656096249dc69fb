package io.counterkit.verification.broken.concurrency;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.Reading;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import io.counterkit.verification.broken.flaw.Pages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Chapters 3, 4 and 14: flaws that are visible only while calls overlap, or only in the seal of a refusal. */
public final class OverlapFlaws {
    private OverlapFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("reads the two parts of a total one after another", "3.2")
                        .counters(Gap::new, ReadsPartByPart::new),
                Flaw.that("counts the age of a cached total from the end of its read", "14.1")
                        .counters(CountsAgesFromTheEnd::new),
                Flaw.that("answers reads from memory during a reset of its own", "14.1")
                        .counters(ReadsFromMemoryDuringResets::new),
                Flaw.that("omits a sequence from its lists after an append that failed", "14.2")
                        .sequences(OmitsAfterAFailure::new),
                Flaw.that("refuses a seal that another one has overtaken with its own address", "4.6")
                        .backend(right -> new ForwardingCounterBackend(
                                right, new RefusesWithItsOwnAddress(right), right.sequences())),
                Flaw.that("refuses repeated appends of a batch that a seal overtakes", "4.9")
                        .sequences(RefusesRepeatedAppends::new),
                Flaw.that("refuses adds with an address that differs from that of the seal in case", "4.8")
                        .counters(MistakesSeals::new));
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static final class ReadsPartByPart extends ForwardingCounterStore {
        private static final String SECOND = "~2";

        private final Gap gap;

        ReadsPartByPart(CounterStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public @Nullable FastPath fastPath(String name) {
            return null;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            String part = ThreadLocalRandom.current().nextBoolean() ? "" : SECOND;
            List<AddRequest> parts = requests.stream()
                    .map(request -> new AddRequest(request.name() + part, request.delta(), request.token()))
                    .toList();
            return store.add(parts, commit).whenComplete((done, failure) -> gap.pass());
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            List<String> seconds = names.stream().map(name -> name + SECOND).toList();
            return store.read(names, maxStaleness, call).thenCompose(first -> {
                gap.await(2);
                return store.read(seconds, maxStaleness, call).thenApply(second -> {
                    List<Result<Reading>> sums = new ArrayList<>();
                    for (int i = 0; i < names.size(); i++) {
                        Reading part = first.get(i).orThrow();
                        long sum = part.value() + second.get(i).orThrow().value();
                        sums.add(Result.of(new Reading(sum, part.asOf(), part.staleness())));
                    }
                    return sums;
                });
            });
        }
    }

    private static final class CountsAgesFromTheEnd extends ForwardingCounterStore {
        private final Map<String, Cached> cache = new ConcurrentHashMap<>();

        private record Cached(Reading reading, long end) {
            Result<Reading> aged() {
                return Result.of(
                        new Reading(reading.value(), reading.asOf(), Duration.ofNanos(System.nanoTime() - end)));
            }

            boolean isYoung(Duration maxStaleness) {
                return Duration.ofNanos(System.nanoTime() - end).compareTo(maxStaleness) < 0;
            }
        }

        CountsAgesFromTheEnd(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            Cached cached = cache.get(names.get(0));
            if (names.size() == 1 && cached != null && cached.isYoung(maxStaleness.minusMillis(1))) {
                return Futures.done(List.of(cached.aged()));
            }
            return store.read(names, Duration.ZERO, call).thenApply(results -> {
                pause(5);
                for (int i = 0; i < names.size(); i++) {
                    if (results.get(i).isApplied()) {
                        cache.put(names.get(i), new Cached(results.get(i).orThrow(), System.nanoTime()));
                    }
                }
                return results;
            });
        }
    }

    private static final class ReadsFromMemoryDuringResets extends ForwardingCounterStore {
        private final Map<String, List<Result<Reading>>> memory = new ConcurrentHashMap<>();
        private final Set<String> resetting = ConcurrentHashMap.newKeySet();

        ReadsFromMemoryDuringResets(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            resetting.add(name);
            pause(1);
            CompletableFuture<Void> reset = store.reset(name, commit);
            resetting.remove(name);
            return reset;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            String name = names.get(0);
            List<Result<Reading>> before = memory.get(name);
            if (names.size() == 1 && before != null && resetting.contains(name)) {
                return Futures.done(before);
            }
            return store.read(names, maxStaleness, call).whenComplete((results, failure) -> {
                if (failure == null && names.size() == 1) {
                    memory.put(name, results);
                }
            });
        }
    }

    private static final class OmitsAfterAFailure extends ForwardingSequenceStore {
        private final Set<String> failed = ConcurrentHashMap.newKeySet();

        OmitsAfterAFailure(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).whenComplete((results, failure) -> {
                if (failure == null) {
                    failed.remove(sequence);
                } else {
                    failed.add(sequence);
                }
            });
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return Pages.filtered(store.names(prefix, cursor, limit, call), name -> !failed.contains(name));
        }
    }

    private static final class RefusesWithItsOwnAddress extends ForwardingCounterStore {
        private final MigrationStore migration;

        RefusesWithItsOwnAddress(CounterBackend right) {
            super(right.counters());
            this.migration = right.migration();
        }

        @Override
        public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
            return migration.states(Kind.COUNTER, List.of(name), commit).thenCompose(states -> {
                CompletableFuture<Seal> sealing = store.seal(name, forward, commit);
                return states.get(0).seal() != null
                        ? sealing
                        : Futures.recover(sealing, SealedException.class, refusal -> {
                            Seal own = new Seal(
                                    forward,
                                    refusal.seal().last(),
                                    refusal.seal().liveCount());
                            return CompletableFuture.failedFuture(new SealedException(name, own));
                        });
            });
        }
    }

    private static final class RefusesRepeatedAppends extends ForwardingSequenceStore {
        RefusesRepeatedAppends(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            if (requests.size() == 1 || tail(sequence, commit).join().seal() != null) {
                return store.append(sequence, requests, commit);
            }
            return store.append(sequence, requests, commit).thenApply(results -> {
                Gap.await(() -> tail(sequence, commit).join().seal() != null);
                Tail after = tail(sequence, commit).join();
                Seal seal = after.seal();
                long last = results.stream()
                        .filter(Result::isApplied)
                        .mapToLong(result -> result.orThrow().number())
                        .max()
                        .orElse(0);
                List<Result<Entry>> refused = new ArrayList<>();
                for (int i = 0; i < requests.size(); i++) {
                    Result<Entry> result = results.get(i);
                    boolean isRepeated = requests.get(i).token() != null
                            && result.isApplied()
                            && result.orThrow().number() <= last - requests.size();
                    refused.add(
                            seal != null && isRepeated ? Result.failed(new SealedException(sequence, seal)) : result);
                }
                return refused;
            });
        }
    }

    private static final class MistakesSeals extends ForwardingCounterStore {
        private final Map<String, String> first = new ConcurrentHashMap<>();

        MistakesSeals(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                List<Result<Void>> mistaken = new ArrayList<>();
                for (int i = 0; i < requests.size(); i++) {
                    String name = requests.get(i).name();
                    mistaken.add(
                            results.get(i).failure() instanceof SealedException refusal
                                    ? Result.failed(new SealedException(name, mistaken(refusal.seal())))
                                    : results.get(i));
                }
                return mistaken;
            });
        }

        private Seal mistaken(Seal seal) {
            String forward = seal.forward();
            String known = first.putIfAbsent(forward.toLowerCase(Locale.ROOT), forward);
            return new Seal(Objects.requireNonNullElse(known, forward), seal.last(), seal.liveCount());
        }
    }
}
