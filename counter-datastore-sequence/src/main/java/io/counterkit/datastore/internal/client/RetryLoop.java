package io.counterkit.datastore.internal.client;

import io.counterkit.ContentionException;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.Call;
import io.counterkit.spi.Reasons;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries a change until its outcome is known, or tells that it is not. A failed commit is never taken for one that was
 * not applied: the next attempt looks.
 *
 * @param what the change, for messages
 * @param name the counter or sequence
 * @param token tells what became of it; null for a change that is done once however often it is sent
 */
public record RetryLoop(
        DatastoreSequenceOptions options,
        String what,
        String name,
        Call call,
        @Nullable Supplier<IdempotencyToken> token) {
    /** One change, as it is tried again and again. */
    public interface Attempt<R> {
        /** Tries once; null if it is to be tried again at once. */
        @Nullable R run();

        /** Whether a commit was sent that may have been applied, or may be yet. */
        boolean mayLand();

        /** Whether it is tried again soon after contention, and not only once others got done. */
        default boolean isHasty() {
            return false;
        }
    }

    public <R> R carryOut(Attempt<R> attempt) {
        Attempts attempts = new Attempts(options, name, call);
        while (attempts.another()) {
            try {
                R result = attempt.run();
                if (result != null) {
                    return result;
                }
            } catch (CorruptDataException e) {
                throw attempt.mayLand() ? unknown(Reasons.of(e), e) : e;
            } catch (CounterException e) {
                throw e;
            } catch (RuntimeException e) {
                if (!DatastoreErrors.of(e).isRetriable()) {
                    throw attempt.mayLand()
                            ? unknown(Reasons.of(e), e)
                            : new NotAppliedException(what + ": " + Reasons.of(e), e);
                }
                attempts.failed(e, attempt.isHasty());
            }
        }
        throw attempt.mayLand()
                ? unknown(attempts.end(), attempts.last())
                : notApplied(what + ": " + attempts.end(), attempts.last());
    }

    private RuntimeException unknown(String why, @Nullable RuntimeException cause) {
        String message = what + ": a commit was sent and its outcome is not known: " + why;
        return token == null
                ? new IllegalStateException(message + "; send it again", cause)
                : new OutcomeUnknownException(message, token.get(), cause);
    }

    /** Reads, and again while the store fails and there is time. */
    public static <T> T reading(DatastoreSequenceOptions options, String name, Call call, Function<Call, T> read) {
        Attempts attempts = new Attempts(options, name, call);
        while (attempts.another()) {
            try {
                return read.apply(call);
            } catch (CounterException e) {
                throw e;
            } catch (RuntimeException e) {
                if (!DatastoreErrors.of(e).isRetriable()) {
                    throw new NotAppliedException("reading '" + name + "': " + Reasons.of(e), e);
                }
                attempts.failed(e, false);
            }
        }
        throw notApplied("reading '" + name + "': " + attempts.end(), attempts.last());
    }

    private static NotAppliedException notApplied(String message, @Nullable RuntimeException last) {
        return last != null && DatastoreErrors.of(last) == DatastoreErrors.CONTENTION
                ? new ContentionException(message + ": try again later", last)
                : new NotAppliedException(message, last);
    }
}
