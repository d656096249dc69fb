package io.counterkit.soak.internal.worker;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Backoff;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Follows each change until its outcome is known. After an unknown outcome it repeats the change with its token or
 * resolves the token, at random; after the first resolve it only resolves. Used by one thread.
 */
final class OutcomeResolver {
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(5), Duration.ofSeconds(1));

    /** The longest time to resolve an outcome. The soak fails if the store is unavailable for longer. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);

    private final Counters counters;
    private final SoakStatistics statistics;
    private final RandomGenerator random;

    OutcomeResolver(Counters counters, SoakStatistics statistics, RandomGenerator random) {
        this.counters = counters;
        this.statistics = statistics;
        this.random = random;
    }

    /** A change that can be made, repeated and resolved. */
    interface Attempt<T> {
        T first();

        T repeat(IdempotencyToken token);

        T resolved(Resolution resolution);
    }

    /** Makes a change and returns its outcome; {@code report} receives violations of the contract. */
    <T> Settled<T> run(Attempt<T> attempt, Consumer<String> report) {
        return settle(attempt::first, attempt, report);
    }

    /** Returns the outcome of a change whose first attempt was sent already, and whose result {@code reply} returns. */
    <T> Settled<T> settle(Supplier<T> reply, Attempt<T> attempt, Consumer<String> report) {
        try {
            return new Settled.Applied<>(reply.get());
        } catch (OutcomeUnknownException e) {
            statistics.unknown.increment();
            return resolve(e.token(), attempt, report);
        } catch (NotAppliedException e) {
            (e instanceof ChangeRefusedException ? statistics.refused : statistics.notApplied).increment();
            return new Settled.NotApplied<>(e);
        }
    }

    private <T> Settled<T> resolve(IdempotencyToken token, Attempt<T> attempt, Consumer<String> report) {
        long start = System.nanoTime();
        boolean isResolving = false; // the reply "not applied" may be lost, and the token must not be used after it
        for (int failed = 1; System.nanoTime() - start < LONGEST; failed++) {
            try {
                if (!isResolving && random.nextBoolean()) {
                    return applied(attempt.repeat(token));
                }
                isResolving = true;
                Resolution resolution = counters.resolve(token);
                return resolution.applied() ? applied(attempt.resolved(resolution)) : new Settled.NotApplied<>(null);
            } catch (TokenRefusedException e) {
                report.accept("the same change was refused under its own token: " + e.getMessage());
            } catch (CounterException e) {
                // A failed repetition states nothing about the first attempt.
                LockSupport.parkNanos(BACKOFF.nanos(failed));
            }
        }
        return new Settled.Unknown<>();
    }

    private <T> Settled<T> applied(T result) {
        statistics.unknownApplied.increment();
        return new Settled.Applied<>(result);
    }
}
