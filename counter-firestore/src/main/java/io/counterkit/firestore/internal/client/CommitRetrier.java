package io.counterkit.firestore.internal.client;

import com.google.api.core.ApiFuture;
import io.counterkit.CounterException;
import io.counterkit.spi.Call;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one commit, the same each time, until the store says something definite about it. Its marker makes that
 * harmless: of all attempts, the client's own hidden ones included, one is applied at most.
 */
public final class CommitRetrier {
    private final Requests requests;

    CommitRetrier(Requests requests) {
        this.requests = requests;
    }

    /**
     * What the store said in the end.
     *
     * @param problem null if this attempt was applied; else {@link StoreError#EXISTS} or {@link StoreError#MISSING}
     * @param value what came back with it
     */
    public record Answer<T>(
            @Nullable StoreError problem, @Nullable T value) {
        public boolean isApplied() {
            return problem == null;
        }
    }

    /**
     * Sends until there is an answer. Fails, with the outcome open, when the store refuses the commit or the time is
     * over.
     *
     * @param names the counters or sequences it concerns, for those who watch contention
     */
    public <T> CompletableFuture<Answer<T>> send(Call call, Collection<String> names, Supplier<ApiFuture<T>> attempt) {
        return send(call, names, () -> {}, attempt);
    }

    /** The same, telling of each conflict. */
    public <T> CompletableFuture<Answer<T>> send(
            Call call, Collection<String> names, Runnable onConflict, Supplier<ApiFuture<T>> attempt) {
        return send(call, names, onConflict, attempt, 0);
    }

    private <T> CompletableFuture<Answer<T>> send(
            Call call, Collection<String> names, Runnable onConflict, Supplier<ApiFuture<T>> attempt, int attempts) {
        long began = System.nanoTime();
        return requests.of(call, attempt)
                .thenApply(value -> new Answer<T>(null, value))
                .exceptionallyCompose(failure -> {
                    Throwable cause = FirestoreErrors.unwrapped(failure);
                    StoreError error = FirestoreErrors.of(cause);
                    if (error == StoreError.EXISTS || error == StoreError.MISSING) {
                        return CompletableFuture.completedFuture(new Answer<>(error, null));
                    }
                    if (error == StoreError.REFUSED) {
                        return CompletableFuture.failedFuture(refusal(cause, attempts));
                    }
                    if (error == StoreError.CONTENTION) {
                        onConflict.run();
                        call.reportConflict(names);
                    }
                    if (isOver(call, cause)) {
                        return CompletableFuture.failedFuture(cause);
                    }
                    call.reportRetry(cause);
                    return requests.afterPause(
                            call,
                            attempts,
                            error == StoreError.CONTENTION ? System.nanoTime() - began : 0,
                            () -> send(call, names, onConflict, attempt, attempts + 1));
                });
    }

    /**
     * What an attempt says of itself does not hold for those before it. The first one was never sent if it is the client
     * itself that fails, as when it is closed.
     */
    private static Throwable refusal(Throwable cause, int attempts) {
        if (attempts > 0) {
            return cause instanceof CounterException ? new IllegalStateException(cause.getMessage(), cause) : cause;
        }
        return FirestoreErrors.isOfStore(cause) ? cause : FirestoreErrors.notApplied("sending a commit", cause);
    }

    /** Reads what a decision hangs on: tried again while there is time. */
    public <T> CompletableFuture<T> ask(Call call, Supplier<ApiFuture<T>> question) {
        return ask(call, question, 0);
    }

    private <T> CompletableFuture<T> ask(Call call, Supplier<ApiFuture<T>> question, int attempts) {
        return requests.of(call, question).exceptionallyCompose(failure -> {
            Throwable cause = FirestoreErrors.unwrapped(failure);
            StoreError error = FirestoreErrors.of(cause);
            if (error == StoreError.REFUSED || error == StoreError.MISSING || isOver(call, cause)) {
                return CompletableFuture.failedFuture(cause);
            }
            call.reportRetry(cause);
            return requests.afterPause(call, attempts, () -> ask(call, question, attempts + 1));
        });
    }

    private static boolean isOver(Call call, Throwable cause) {
        return cause instanceof TimeoutException || call.remaining().toNanos() <= 0;
    }
}
