package io.counterkit.verification.broken.reading;

import io.counterkit.CounterOverflowException;
import io.counterkit.NamedReading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Limits;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Chapter 3, continued: the largest totals. */
public final class TopFlaws {
    private static final Duration TIME = Duration.ofSeconds(20);

    private TopFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                top(
                        "lists only totals above zero among the largest",
                        top -> top.stream()
                                .filter(named -> named.reading().value() > 0)
                                .toList()),
                top(
                        "ignores case in the order of equal totals",
                        top -> top.stream()
                                .sorted(Comparator.comparingLong((NamedReading named) ->
                                                -named.reading().value())
                                        .thenComparing(named -> named.name().toLowerCase(Locale.ROOT)))
                                .toList()),
                top(
                        "orders the largest totals in floating point",
                        top -> top.stream()
                                .sorted(Comparator.comparingDouble((NamedReading named) ->
                                                -(double) named.reading().value())
                                        .thenComparing(NamedReading::name))
                                .toList()),
                top(
                        "orders the largest totals by their difference in 64 bits",
                        top -> top.stream()
                                .sorted(Comparator.comparing(NamedReading::name))
                                .sorted((first, second) ->
                                        Long.signum(second.reading().value()
                                                - first.reading().value()))
                                .toList()),
                Flaw.that("chooses the largest totals in floating point, and orders them exactly", "3.16")
                        .counters(ChoosesInFloatingPoint::new),
                Flaw.that("omits totals out of range from the largest", "3.16")
                        .counters(store -> new LeavesOverflownOut(store, prefix -> true)),
                Flaw.that("omits totals below the range from the largest", "3.16")
                        .counters(ConcurrentHashMap::<String>newKeySet, LeavesNegativeOut::new),
                Flaw.that("lists the last of equal totals as the largest", "3.17")
                        .counters(ListsTheLast::new),
                Flaw.that("gives places among the largest to deleted counters, and omits them then", "3.16")
                        .counters(ConcurrentHashMap::<String>newKeySet, OmitsDeletedLate::new),
                Flaw.that("lists no largest counters for an empty prefix", "3.17")
                        .counters(NeedsAPrefix::new),
                Flaw.that("omits sealed counters from the largest", "3.16")
                        .backend(right -> omitting(
                                right,
                                (migration, name) -> state(migration, name).seal() != null)),
                Flaw.that("omits imported counters from the largest", "3.16")
                        .backend(right -> omitting(
                                right,
                                (migration, name) -> migration
                                        .bases(Kind.COUNTER, List.of(name), Commits.lasting(TIME))
                                        .join()
                                        .get(0)
                                        .isPresent())));
    }

    private static NameState state(MigrationStore migration, String name) {
        return migration
                .states(Kind.COUNTER, List.of(name), Commits.lasting(TIME))
                .join()
                .get(0);
    }

    private static CounterBackend omitting(CounterBackend right, BiPredicate<MigrationStore, String> isOmitted) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return store.top(prefix, limit, call)
                        .thenApply(top -> top.stream()
                                .filter(named -> !isOmitted.test(right.migration(), named.name()))
                                .toList());
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences());
    }

    private static Flaw top(String does, Function<List<NamedReading>, List<NamedReading>> change) {
        return Flaw.that(does, "3.16").counters(store -> new ForwardingCounterStore(store) {
            @Override
            public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
                return store.top(prefix, limit, call).thenApply(change);
            }
        });
    }

    private static class LeavesOverflownOut extends ForwardingCounterStore {
        private final Predicate<String> isLeftOut;

        LeavesOverflownOut(CounterStore store, Predicate<String> isLeftOut) {
            super(store);
            this.isLeftOut = isLeftOut;
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return Futures.recover(
                    store.top(prefix, limit, call),
                    CounterOverflowException.class,
                    overflown -> isLeftOut.test(prefix)
                            ? Futures.done(List.of())
                            : CompletableFuture.failedFuture(overflown));
        }
    }

    /** Knows from the last add of a counter on which side of the range it is. */
    private static final class LeavesNegativeOut extends LeavesOverflownOut {
        private final Set<String> rising;

        LeavesNegativeOut(CounterStore store, Set<String> rising) {
            super(store, prefix -> rising.stream().noneMatch(name -> name.startsWith(prefix)));
            this.rising = rising;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.stream()
                    .filter(request -> request.delta() > 0)
                    .map(AddRequest::name)
                    .forEach(rising::add);
            return store.add(requests, commit);
        }
    }

    private static final class ListsTheLast extends ForwardingCounterStore {
        ListsTheLast(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return limit > 1
                    ? store.top(prefix, limit, call)
                    : store.top(prefix, 1000, call)
                            .thenApply(top -> top.stream()
                                    .filter(named -> named.reading().value()
                                            == top.get(0).reading().value())
                                    .reduce((first, next) -> next)
                                    .stream()
                                    .toList());
        }
    }

    /** Keeps deleted counters with the total 0. */
    private static final class OmitsDeletedLate extends ForwardingCounterStore {
        private static final int ALL = 1_000_000;
        private static final Comparator<Map.Entry<String, Long>> LARGEST_FIRST = Comparator.comparingLong(
                        (Map.Entry<String, Long> counter) -> -counter.getValue())
                .thenComparing(Map.Entry::getKey);

        private final Set<String> deleted;

        OmitsDeletedLate(CounterStore store, Set<String> deleted) {
            super(store);
            this.deleted = deleted;
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            deleted.add(name);
            return store.delete(name, commit);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, ALL, call).thenApply(present -> {
                Map<String, Long> totals = new HashMap<>();
                deleted.stream().filter(name -> name.startsWith(prefix)).forEach(name -> totals.put(name, 0L));
                present.forEach(
                        named -> totals.put(named.name(), named.reading().value()));
                Set<String> first = totals.entrySet().stream()
                        .sorted(LARGEST_FIRST)
                        .limit(limit)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet());
                return present.stream()
                        .filter(named -> first.contains(named.name()))
                        .toList();
            });
        }
    }

    private static final class ChoosesInFloatingPoint extends ForwardingCounterStore {
        ChoosesInFloatingPoint(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return store.top(prefix, Limits.MAX_PAGE, call)
                    .thenApply(top -> top.stream()
                            .sorted(Comparator.comparingDouble((NamedReading named) ->
                                            -(double) named.reading().value())
                                    .thenComparing(NamedReading::name))
                            .limit(limit)
                            .sorted(Comparator.comparingLong((NamedReading named) ->
                                            -named.reading().value())
                                    .thenComparing(NamedReading::name))
                            .toList());
        }
    }

    private static final class NeedsAPrefix extends ForwardingCounterStore {
        NeedsAPrefix(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NamedReading>> top(String prefix, int limit, Call call) {
            return prefix.isEmpty() ? Futures.done(List.of()) : store.top(prefix, limit, call);
        }
    }
}
