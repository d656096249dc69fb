package io.counterkit.cli.soak;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import org.jspecify.annotations.Nullable;

/**
 * One add of one worker.
 *
 * @param counter a handle of its own
 * @param token the worker's own; null where the library is to cover the add
 */
record AddAttempt(
        CounterBook book,
        Counter counter,
        long delta,
        @Nullable IdempotencyToken token) implements Decider.Attempt<Boolean> {
    @Override
    public Boolean first() {
        if (token == null) {
            counter.add(delta);
        } else {
            counter.add(delta, token);
        }
        return true;
    }

    @Override
    public Boolean again(IdempotencyToken handedOut) {
        counter.add(delta, handedOut);
        return true;
    }

    @Override
    public Boolean resolved(Resolution resolution) {
        if (!resolution.equals(new Resolution.Added(counter.name(), delta))) {
            book.found("an add of " + delta + " was resolved as " + resolution);
        }
        return true;
    }

    /** Enters into the book what became of it, and returns whether it was applied. */
    boolean conclude(Fate<Boolean> fate) {
        if (fate instanceof Fate.Applied) {
            book.applied(delta);
        } else if (fate instanceof Fate.NotApplied) {
            book.notApplied(delta);
        }
        return fate instanceof Fate.Applied;
    }
}
