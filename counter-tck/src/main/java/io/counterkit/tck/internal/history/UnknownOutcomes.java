package io.counterkit.tck.internal.history;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a workload whose outcome is unknown, and how it settles them. Thread-safe.
 *
 * @param <C> a change that can be repeated under its token
 */
final class UnknownOutcomes<C> {
    private final ObjectCalls<?> calls;
    private final Function<C, @Nullable IdempotencyToken> tokenOf;
    private final Queue<C> repeatable = new ConcurrentLinkedQueue<>();
    private final Queue<IdempotencyToken> others = new ConcurrentLinkedQueue<>();

    UnknownOutcomes(ObjectCalls<?> calls, Function<C, @Nullable IdempotencyToken> tokenOf) {
        this.calls = calls;
        this.tokenOf = tokenOf;
    }

    /**
     * Records the outcome of a change that can be repeated.
     *
     * @param unknown the token that settles it, or null if it is known
     * @param change returns the change under a token
     */
    void note(@Nullable IdempotencyToken unknown, Function<IdempotencyToken, C> change) {
        if (unknown != null) {
            repeatable.add(change.apply(unknown));
        }
    }

    /** Records the outcome of another change: the token that settles it, or null if it is known. */
    void note(@Nullable IdempotencyToken unknown) {
        if (unknown != null) {
            others.add(unknown);
        }
    }

    /**
     * Repeats or resolves a change.
     *
     * @param another creates the change to send if no outcome is unknown
     */
    void settle(int process, Counters counters, Random random, Supplier<C> another, Consumer<C> send) {
        IdempotencyToken other = others.poll();
        if (other != null) {
            resolve(process, counters, other);
            return;
        }
        C change = repeatable.poll();
        if (change == null) {
            send.accept(another.get());
        } else if (random.nextBoolean()) {
            send.accept(change);
        } else {
            resolve(process, counters, tokenOf.apply(change));
        }
    }

    void resolve(int process, Counters counters, @Nullable IdempotencyToken token) {
        if (token != null) {
            note(calls.resolve(process, token).end(() -> counters.resolve(token)));
        }
    }

    /** Resolves the tokens of all changes, and of one that several processes sent, until each has an answer. */
    void settleAll(int process, Counters counters, C sent) {
        for (C change = repeatable.poll(); change != null; change = repeatable.poll()) {
            settle(process, counters, tokenOf.apply(change));
        }
        for (IdempotencyToken token = others.poll(); token != null; token = others.poll()) {
            settle(process, counters, token);
        }
        settle(process, counters, tokenOf.apply(sent));
    }

    private void settle(int process, Counters counters, @Nullable IdempotencyToken token) {
        if (token != null) {
            calls.resolve(process, token).end(() -> Patience.answerOf(() -> counters.resolve(token)));
        }
    }
}
