package io.counterkit.internal.request;

import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.Durations;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Reasons;
import io.counterkit.spi.Timers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Resolves a token repeatedly, until the outcome is known or the time has passed. */
final class TokenSettler {
    private static final Backoff PAUSES = Backoff.between(Duration.ofMillis(10), Duration.ofSeconds(5));

    private final TokenResolver tokens;
    private final Timers timers;

    TokenSettler(TokenResolver tokens, Timers timers) {
        this.tokens = tokens;
        this.timers = timers;
    }

    /** Settles on the calling thread, since the store may be bound to it. */
    Resolution settle(IdempotencyToken token, Duration timeout) {
        Attempts attempts = new Attempts(token, timeout);
        while (true) {
            try {
                return tokens.resolve(token).await();
            } catch (CounterException e) {
                long pause = attempts.pauseAfter(e);
                if (!Thread.currentThread().isInterrupted()) {
                    LockSupport.parkNanos(this, pause);
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw attempts.unsettled("the caller was interrupted", e);
                }
            }
        }
    }

    CompletableFuture<Resolution> settleAsync(IdempotencyToken token, Duration timeout) {
        return settleAsync(new Attempts(token, timeout));
    }

    private CompletableFuture<Resolution> settleAsync(Attempts attempts) {
        return tokens.resolve(attempts.token).reply().exceptionallyCompose(failure -> {
            if (Futures.unwrap(failure) instanceof CounterException unanswered) {
                return timers.after(attempts.pauseAfter(unanswered)).thenCompose(paused -> settleAsync(attempts));
            }
            throw new CompletionException(Futures.unwrap(failure));
        });
    }

    private static final class Attempts {
        private final IdempotencyToken token;
        private final Duration timeout;
        private final long end;
        private int failed;

        Attempts(IdempotencyToken token, Duration timeout) {
            if (timeout.isNegative()) {
                throw new IllegalArgumentException(
                        "timeout " + Durations.inWords(timeout) + ": use zero to resolve once, or more");
            }
            this.token = token;
            this.timeout = timeout;
            this.end = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        }

        /** Returns the pause before the next attempt, or throws if the time has passed. */
        long pauseAfter(CounterException failure) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw unsettled(Durations.inWords(timeout) + " passed", failure);
            }
            failed++;
            return Math.min(left, PAUSES.nanos(failed));
        }

        OutcomeUnknownException unsettled(String why, CounterException last) {
            return new OutcomeUnknownException(
                    "token " + token + " is not settled: " + why + ", and the last attempt failed: " + Reasons.of(last)
                            + "; settle it again to learn its outcome",
                    token,
                    last);
        }
    }
}
