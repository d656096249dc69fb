package io.counterkit.verification.broken.outcome;

import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Reading;
import io.counterkit.Resolution;
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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chapter 7, continued: failures that keep later calls from the store. */
public final class BreakerFlaws {
    private BreakerFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("resolves nothing after ten failures in a row", "7.20")
                        .backend(StopsToResolve::new),
                Flaw.that("lists nothing after ten failures in a row", "7.20").counters(StopsToList::new),
                Flaw.that("fails the next call too after a failed read of totals", "7.20")
                        .counters(FailsAgain::new),
                Flaw.that("refuses resets of a counter after one with an unknown outcome", "7.20")
                        .counters(BlocksResets::new),
                Flaw.that("refuses erasures in a sequence after one with an unknown outcome", "7.20")
                        .sequences(BlocksErasures::new));
    }

    /** Refuses calls after ten failures in a row. */
    private static final class Breaker {
        private final AtomicInteger failures = new AtomicInteger();

        <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
            return failures.get() >= 10
                    ? CompletableFuture.failedFuture(new NotAppliedException("the store is taken for dead"))
                    : call.get().whenComplete((value, failure) -> {
                        if (failure == null) {
                            failures.set(0);
                        } else {
                            failures.incrementAndGet();
                        }
                    });
        }
    }

    private static final class StopsToResolve extends ForwardingCounterBackend {
        private final Breaker breaker = new Breaker();

        StopsToResolve(CounterBackend backend) {
            super(backend, backend.counters(), backend.sequences());
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return breaker.call(() -> backend.resolve(token, target, call));
        }
    }

    private static final class StopsToList extends ForwardingCounterStore {
        private final Breaker breaker = new Breaker();

        StopsToList(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return breaker.call(() -> store.names(prefix, cursor, limit, call));
        }
    }

    private static final class FailsAgain extends ForwardingCounterStore {
        private final AtomicReference<@Nullable Throwable> last = new AtomicReference<>();

        FailsAgain(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            Throwable before = last.getAndSet(null);
            return before != null
                    ? CompletableFuture.failedFuture(before)
                    : store.read(names, maxStaleness, call).whenComplete((totals, failure) -> last.set(failure));
        }
    }

    /** Refuses changes of a name after one with an unknown outcome. */
    private static final class Blocked {
        private final Set<String> names = ConcurrentHashMap.newKeySet();

        <T> CompletableFuture<T> call(String name, CompletableFuture<T> change) {
            return change.whenComplete((value, failure) -> {
                if (failure != null && io.counterkit.spi.Futures.unwrap(failure) instanceof OutcomeUnknownException) {
                    names.add(name);
                }
            });
        }
    }

    private static final class BlocksResets extends ForwardingCounterStore {
        private final Blocked blocked = new Blocked();

        BlocksResets(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> reset(String name, Commit commit) {
            return blocked.names.contains(name)
                    ? CompletableFuture.failedFuture(new NotAppliedException("an earlier reset is open"))
                    : blocked.call(name, store.reset(name, commit));
        }
    }

    private static final class BlocksErasures extends ForwardingSequenceStore {
        private final Blocked blocked = new Blocked();

        BlocksErasures(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return blocked.names.contains(sequence)
                    ? CompletableFuture.failedFuture(new NotAppliedException("an earlier erasure is open"))
                    : blocked.call(sequence, store.erase(sequence, number, commit));
        }
    }
}
