package io.counterkit.examples.likes.wall;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes, and finds out in the background what became of those whose reply was lost: it repeats them with the
 * same token, which is what makes that harmless. Thread-safe.
 */
public final class Settler implements AutoCloseable {
    private static final int REMEMBERED = 10_000;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Duration firstPause;
    private final ScheduledExecutorService background = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "settler");
        thread.setDaemon(true);
        return thread;
    });

    /** What became of changes that were unknown once, the latest of them, by token. */
    private final Map<IdempotencyToken, Answer> answers = new LinkedHashMap<>();

    /** A settler that tries again after {@code firstPause}, and then less and less often. */
    public Settler(Duration firstPause) {
        this.firstPause = firstPause;
    }

    /** Makes a change that carries {@code token} and returns its number, if it gets one. */
    Answer attempt(IdempotencyToken token, Supplier<Long> change) {
        Answer earlier = answer(token);
        if (earlier != null) {
            return earlier;
        }
        try {
            return Answer.applied(change.get());
        } catch (OutcomeUnknownException e) {
            Answer unknown = Answer.unknown(String.valueOf(e.getMessage()));
            if (remember(token, unknown)) {
                settleLater(token, change, firstPause);
            }
            return unknown;
        } catch (NotAppliedException e) {
            return Answer.notApplied(e);
        }
    }

    private void settleLater(IdempotencyToken token, Supplier<Long> change, Duration pause) {
        Duration next = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        ScheduledFuture<?> unused = background.schedule(
                () -> {
                    Answer answer = settle(change);
                    if (answer.state() == Answer.State.UNKNOWN) {
                        settleLater(token, change, next);
                    } else {
                        update(token, answer);
                    }
                },
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** After an unknown outcome, "not applied" speaks of this attempt alone, unless there is no use in trying again. */
    private static Answer settle(Supplier<Long> change) {
        try {
            return Answer.applied(change.get());
        } catch (NotAppliedException e) {
            Answer answer = Answer.notApplied(e);
            return answer.state() == Answer.State.REFUSED ? answer : Answer.unknown(answer.why());
        } catch (OutcomeUnknownException e) {
            return Answer.unknown(String.valueOf(e.getMessage()));
        }
    }

    /** What is known of a change that was unknown once; null if it never was, or that was long ago. */
    public @Nullable Answer answer(IdempotencyToken token) {
        synchronized (answers) {
            return answers.get(token);
        }
    }

    private void update(IdempotencyToken token, Answer answer) {
        synchronized (answers) {
            answers.replace(token, answer);
        }
    }

    /** Whether it is new. */
    private boolean remember(IdempotencyToken token, Answer answer) {
        synchronized (answers) {
            if (answers.putIfAbsent(token, answer) != null) {
                return false;
            }
            if (answers.size() > REMEMBERED) {
                Iterator<IdempotencyToken> oldest = answers.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
            return true;
        }
    }

    /** Stops trying. Whoever has a token can still find out, from any process. */
    @Override
    public void close() {
        background.shutdownNow();
    }
}
