package io.counterkit.migration.model;

import io.counterkit.OutcomeUnknownException;
import io.counterkit.migration.fixture.Action;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A process that performs steps one after another. Its calls to the stores wait until the scheduler performs them, one
 * at a time. It may die after a call, or miss one reply.
 */
public final class SteppedProcess implements Connection {
    private final int index;
    private final String name;
    private final Fate fate;
    private final List<Held<?>> held = new ArrayList<>();
    private final List<Function<CounterBackend, CompletableFuture<?>>> steps = new ArrayList<>();
    private final CounterBackend backend;
    private int calls;
    private int performed;
    private boolean dead;

    public SteppedProcess(int index, String name, Fate fate, Function<Connection, CounterBackend> backend) {
        this.index = index;
        this.name = name;
        this.fate = fate;
        this.backend = backend.apply(this);
    }

    /**
     * The fault of a process.
     *
     * @param diesAfter the number of its last call; 0 for none
     * @param misses the number of the call whose reply is lost; 0 for none
     */
    public record Fate(int diesAfter, int misses) {
        public static final Fate NONE = new Fate(0, 0);
    }

    /** Adds a step. */
    SteppedProcess then(Function<CounterBackend, CompletableFuture<?>> step) {
        steps.add(step);
        return this;
    }

    public void start() {
        if (!steps.isEmpty() && !dead) {
            CompletableFuture<?> unused = steps.remove(0).apply(backend).whenComplete((done, failure) -> start());
        }
    }

    @Override
    public <T> CompletableFuture<T> pass(String what, Call call, Supplier<CompletableFuture<T>> store) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        if (!dead) {
            held.add(new Held<>(new Action(index, calls++, what), call, store, reply));
        }
        return reply;
    }

    public List<Action> enabled() {
        return held.stream().map(Held::action).toList();
    }

    /** Returns whether its fault was injected. */
    public boolean hasMetItsFate() {
        return performed >= Math.max(fate.diesAfter(), fate.misses());
    }

    public void perform(Action action) {
        Held<?> next = held.stream()
                .filter(call -> call.action().equals(action))
                .findFirst()
                .orElseThrow();
        held.remove(next);
        performed++;
        if (performed == fate.diesAfter()) {
            dead = true;
            held.clear();
        }
        next.perform(dead, performed == fate.misses());
    }

    @Override
    public String toString() {
        return name;
    }

    private record Held<T>(Action action, Call call, Supplier<CompletableFuture<T>> store, CompletableFuture<T> reply) {
        void perform(boolean isDead, boolean isReplyLost) {
            CompletableFuture<T> result = store.get();
            if (!result.isDone()) {
                throw new AssertionError(action + " was not answered at once");
            }
            if (isReplyLost) {
                reply.completeExceptionally(
                        call instanceof Commit commit
                                ? new OutcomeUnknownException("lost", commit.token(), null)
                                : new IllegalStateException("lost"));
            } else if (!isDead) {
                CompletableFuture<?> unused = result.whenComplete((value, failure) -> {
                    if (failure == null) {
                        reply.complete(value);
                    } else {
                        reply.completeExceptionally(failure);
                    }
                });
            }
        }
    }
}
