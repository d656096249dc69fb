package io.counterkit.cli.soak;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.cli.backend.Retries;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sees each change through until its fate is known. After an unknown outcome it is repeated under its token or the
 * token is resolved, by the toss of a coin; once asked for, it is only asked for. Used by one thread.
 */
final class Decider {
    /** How long to ask: a store that is gone for longer has failed the soak. */
    private static final long PATIENCE = TimeUnit.MINUTES.toNanos(2);

    private final Counters counters;
    private final Happened happened;
    private final RandomGenerator random;

    Decider(Counters counters, Happened happened, RandomGenerator random) {
        this.counters = counters;
        this.happened = happened;
        this.random = random;
    }

    /** A change that can be made, made again and asked for. */
    interface Attempt<T> {
        T first();

        T again(IdempotencyToken token);

        T resolved(Resolution resolution);
    }

    <T> Fate<T> decide(Attempt<T> attempt, Consumer<String> found) {
        return settle(attempt::first, attempt, found);
    }

    /** The same, where the first attempt is already made and its result is got from {@code reply}. */
    <T> Fate<T> settle(Supplier<T> reply, Attempt<T> attempt, Consumer<String> found) {
        try {
            return new Fate.Applied<>(reply.get());
        } catch (OutcomeUnknownException e) {
            happened.unknown.increment();
            return afterUnknown(e.token(), attempt, found);
        } catch (NotAppliedException e) {
            (e instanceof ChangeRefusedException ? happened.refused : happened.notApplied).increment();
            return new Fate.NotApplied<>(e);
        }
    }

    private <T> Fate<T> afterUnknown(IdempotencyToken token, Attempt<T> attempt, Consumer<String> found) {
        long start = System.nanoTime();
        boolean isAsked = false; // a lost answer may have been "not applied", after which the token is refused
        for (int attempts = 1; System.nanoTime() - start < PATIENCE; attempts++) {
            try {
                if (!isAsked && random.nextBoolean()) {
                    return unknownApplied(attempt.again(token));
                }
                isAsked = true;
                Resolution resolution = counters.resolve(token);
                return resolution.applied()
                        ? unknownApplied(attempt.resolved(resolution))
                        : new Fate.NotApplied<>(null);
            } catch (TokenRefusedException e) {
                found.accept("the same change was refused under its own token: " + e.getMessage());
            } catch (CounterException e) {
                // A repetition that fails says nothing about the first attempt: still in doubt.
                LockSupport.parkNanos(Retries.pauseAfter(attempts));
            }
        }
        return new Fate.Undecided<>();
    }

    private <T> Fate<T> unknownApplied(T result) {
        happened.unknownApplied.increment();
        return new Fate.Applied<>(result);
    }
}
