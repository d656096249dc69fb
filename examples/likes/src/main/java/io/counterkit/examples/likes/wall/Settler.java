package io.counterkit.examples.likes.wall;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.RecentlyUsed;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies changes. If the reply to one is lost, repeats it in the background with the same token until its outcome is
 * known; the token makes that safe. Thread-safe.
 */
public final class Settler implements AutoCloseable {
    private static final int REMEMBERED = 10_000;
    /** Short, since a person waits. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Backoff backoff;
    private final ScheduledExecutorService background = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "settler");
        thread.setDaemon(true);
        return thread;
    });

    /** The latest changes whose outcome was unknown, by token. */
    private final RecentlyUsed<IdempotencyToken, Answer> answers = new RecentlyUsed<>(REMEMBERED);

    /** Creates a settler that repeats a change after {@code firstPause}, and then at growing intervals. */
    public Settler(Duration firstPause) {
        backoff = Backoff.between(firstPause, LONGEST_PAUSE);
    }

    /** Applies a change that carries {@code token}; the change returns its number, or 0 if it gets none. */
    Answer apply(IdempotencyToken token, Supplier<Long> change) {
        Answer earlier = answer(token);
        if (earlier != null) {
            return earlier;
        }
        Answer answer = tryOnce(change);
        if (answer.state() == Answer.State.UNKNOWN) {
            Answer unused = answers.computeIfAbsent(token, first -> {
                repeatLater(token, change, 1);
                return answer;
            });
        }
        return answer;
    }

    private static Answer tryOnce(Supplier<Long> change) {
        try {
            return Answer.applied(change.get());
        } catch (NotAppliedException e) {
            return Answer.notApplied(e);
        } catch (OutcomeUnknownException e) {
            return Answer.unknown(String.valueOf(e.getMessage()));
        }
    }

    private void repeatLater(IdempotencyToken token, Supplier<Long> change, int failed) {
        ScheduledFuture<?> unused = background.schedule(
                () -> {
                    Answer answer = tryOnce(change);
                    // After an unknown outcome, "not applied" describes this attempt only.
                    if (answer.isDecided()) {
                        answers.put(token, answer);
                    } else {
                        repeatLater(token, change, failed + 1);
                    }
                },
                backoff.nanos(failed),
                TimeUnit.NANOSECONDS);
    }

    /** Returns the answer to a change whose outcome was unknown, or null if it was known or is forgotten. */
    public @Nullable Answer answer(IdempotencyToken token) {
        return answers.get(token);
    }

    /** Stops repeating changes. Their tokens still settle them, from any process. */
    @Override
    public void close() {
        background.shutdownNow();
    }
}
