package io.counterkit.migration;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A connection to both stores that injects the faults of the kit. Counts the calls to both together. */
final class FaultInjectingConnection implements Connection, FaultInjector {
    private final List<Planned> planned = new CopyOnWriteArrayList<>();

    @Override
    public InjectedFault inject(StoreFault fault, int call) {
        Planned plan = new Planned(fault, call);
        planned.add(plan);
        return plan;
    }

    @Override
    public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
        for (Planned plan : planned) {
            if (plan.left.decrementAndGet() == 0) {
                return plan.hit(what, call, store);
            }
        }
        return store.get();
    }

    void clear() {
        planned.forEach(Planned::close);
    }

    private final class Planned implements InjectedFault {
        private final StoreFault fault;
        private final AtomicInteger left;
        private final CompletableFuture<Boolean> released = new CompletableFuture<>();

        Planned(StoreFault fault, int call) {
            this.fault = fault;
            this.left = new AtomicInteger(call);
        }

        <T> CompletableFuture<T> hit(String what, Call call, Supplier<CompletableFuture<T>> store) {
            return switch (fault) {
                case FAIL_BEFORE -> CompletableFuture.failedFuture(new NotAppliedException(what + " fails"));
                case LOSE_REPLY ->
                    store.get().handle((value, failure) -> {
                        throw call instanceof Commit commit
                                ? new OutcomeUnknownException(what + " loses its reply", commit.token(), null)
                                : new IllegalStateException(what + " loses its reply");
                    });
                case HOLD -> {
                    if (call instanceof Commit commit) {
                        commit.token(); // made before a caller can leave: see Commit.isTokenMade
                    }
                    yield released.thenCompose(unused -> store.get());
                }
            };
        }

        @Override
        public boolean isHit() {
            return left.get() <= 0;
        }

        @Override
        public void close() {
            planned.remove(this);
            released.complete(true);
        }
    }
}
