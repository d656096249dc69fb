package io.counterkit.verification.broken.outcome;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Chapter 12: lifecycle. */
public final class LifecycleFlaws {
    private LifecycleFlaws() {}

    public static List<Flaw> all() {
        List<Flaw> flaws = new ArrayList<>(ClosedCallFlaws.all());
        flaws.addAll(List.of(
                Flaw.that("writes in the background and drops pending writes at close", "12.1", "12.3")
                        .backend(LifecycleFlaws::writingBehind),
                Flaw.that("fails on a second close", "12.2").backend(FailsToCloseTwice::new),
                Flaw.that("closes a client that all processes share", "12.2", "12.4")
                        .backend(AtomicBoolean::new, LifecycleFlaws::closingForAll),
                Flaw.that("forgets tokens when its last process is closed", "12.7")
                        .backend(AtomicInteger::new, ForgetsAtTheEnd::new)));
        return flaws;
    }

    private static final class ForgetsAtTheEnd extends ForwardingCounterBackend {
        private final AtomicInteger open;
        private final int before;

        ForgetsAtTheEnd(CounterBackend right, AtomicInteger open) {
            super(right);
            this.open = open;
            this.before = open.getAndUpdate(count -> count < 0 ? count : count + 1);
        }

        @Override
        public CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable ChangeTarget target, Call call) {
            return before < 0 ? Futures.done(new Resolution.NotApplied()) : backend.resolve(token, target, call);
        }

        @Override
        public void close() {
            open.updateAndGet(count -> count == 1 ? Integer.MIN_VALUE : count - 1);
        }
    }

    private static CounterBackend writingBehind(CounterBackend right) {
        Queue<Runnable> unwritten = new ConcurrentLinkedQueue<>();
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                unwritten.add(() -> store.add(requests, commit).join());
                return Futures.done(Collections.nCopies(requests.size(), Result.applied()));
            }

            @Override
            public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
                for (Runnable add = unwritten.poll(); add != null; add = unwritten.poll()) {
                    add.run();
                }
                return store.read(names, maxStaleness, call);
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public void close() {
                unwritten.clear();
            }
        };
    }

    private static final class FailsToCloseTwice extends ForwardingCounterBackend {
        private final AtomicBoolean closed = new AtomicBoolean();

        FailsToCloseTwice(CounterBackend right) {
            super(right);
        }

        @Override
        public void close() {
            if (closed.getAndSet(true)) {
                throw new IllegalStateException("closed already");
            }
        }
    }

    private static CounterBackend closingForAll(CounterBackend right, AtomicBoolean closed) {
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
                return closed.get()
                        ? CompletableFuture.failedFuture(new NotAppliedException("the client was closed"))
                        : store.add(requests, commit);
            }

            @Override
            public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
                return closed.get()
                        ? CompletableFuture.failedFuture(new NotAppliedException("the client was closed"))
                        : store.read(names, maxStaleness, call);
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public void close() {
                closed.set(true);
            }
        };
    }
}
