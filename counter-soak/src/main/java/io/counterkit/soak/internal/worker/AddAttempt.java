package io.counterkit.soak.internal.worker;

import io.counterkit.Counter;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import org.jspecify.annotations.Nullable;

/**
 * One add of one worker.
 *
 * @param counter the worker's own handle
 * @param token the worker's own token; null if the library generates one
 */
record AddAttempt(
        CounterLedger ledger,
        Counter counter,
        long delta,
        @Nullable IdempotencyToken token) implements OutcomeResolver.Attempt<Boolean> {
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
    public Boolean repeat(IdempotencyToken unknown) {
        counter.add(delta, unknown);
        return true;
    }

    @Override
    public Boolean resolved(Resolution resolution) {
        if (!resolution.equals(new Resolution.Added(counter.name(), delta))) {
            ledger.report("an add of " + delta + " was resolved as " + resolution);
        }
        return true;
    }

    /** Records the outcome in the ledger, and returns whether the add was applied. */
    boolean record(Settled<Boolean> settled) {
        if (settled instanceof Settled.Applied) {
            ledger.applied(delta);
        } else if (settled instanceof Settled.NotApplied) {
            ledger.notApplied(delta);
        }
        return settled instanceof Settled.Applied;
    }
}
