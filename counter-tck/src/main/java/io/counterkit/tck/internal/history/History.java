package io.counterkit.tck.internal.history;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out operations on one object and records them. Thread-safe. */
final class History<S extends ObjectState<S>> {
    private final S initial;
    private final AtomicLong clock = new AtomicLong();
    private final List<Operation<S>> operations = new ArrayList<>();
    private final Map<IdempotencyToken, String> labels = new HashMap<>();

    /**
     * Creates an empty history.
     *
     * @param initial the state of the object before the first operation
     */
    History(S initial) {
        this.initial = initial;
    }

    S initial() {
        return initial;
    }

    synchronized List<Operation<S>> operations() {
        return List.copyOf(operations);
    }

    synchronized void add(Operation<S> operation) {
        operations.add(operation);
    }

    /**
     * The meaning of a change for its caller.
     *
     * @param text names the change in messages
     * @param token the caller's token, or null
     * @param answered the state after the change returned this, null if that is impossible; it is not called for tokens
     *     that were applied before, nor after a seal
     * @param effect the state after the change took effect under a token; it may be unchanged
     * @param repeated whether a repetition under an applied token may return this
     * @param isRefused whether the store may refuse the change in this state because it does not fit
     */
    record Meaning<S, T>(
            String text,
            @Nullable IdempotencyToken token,
            BiFunction<S, T, @Nullable S> answered,
            BiFunction<S, @Nullable IdempotencyToken, S> effect,
            BiFunction<S, T, Boolean> repeated,
            Function<S, Boolean> isRefused) {}

    /** Carries out and records a change. Returns the token of an unknown outcome, or null if the outcome is known. */
    <T> @Nullable IdempotencyToken change(int process, Meaning<S, T> meaning, Supplier<T> call) {
        IdempotencyToken token = meaning.token();
        String text = token == null ? meaning.text() : meaning.text() + " with token " + label(token);
        Step<S> effect = effect(meaning, token);
        long start = clock.incrementAndGet();
        try {
            T answer = call.get();
            long end = clock.incrementAndGet();
            String shown = answer == null || answer.equals(true) ? " -> applied" : " -> " + Shown.text(answer);
            add(Operation.applied(process, text + shown, start, end, answered(meaning, answer), effect));
        } catch (SealedException e) {
            observe(
                    process,
                    text + " -> sealed",
                    start,
                    state -> state.isSealed() && !state.tokens().isApplied(token));
        } catch (TokenRefusedException e) {
            observe(
                    process,
                    text + " -> token refused",
                    start,
                    state -> state.tokens().isVoid(token));
        } catch (ChangeRefusedException | IllegalArgumentException e) {
            observe(
                    process,
                    text + " -> refused",
                    start,
                    state -> meaning.isRefused().apply(state) && !state.tokens().isApplied(token));
        } catch (NotAppliedException e) {
            long end = clock.incrementAndGet();
            add(Operation.applied(process, text + " -> not applied", start, end, before -> before, effect));
        } catch (OutcomeUnknownException e) {
            add(Operation.unknown(
                    process, text + " -> unknown, token " + label(e.token()), start, effect(meaning, e.token())));
            return e.token();
        }
        return null;
    }

    private static <S extends ObjectState<S>, T> Step<S> answered(Meaning<S, T> meaning, T answer) {
        IdempotencyToken token = meaning.token();
        return before -> {
            if (before.tokens().isApplied(token)) {
                return meaning.repeated().apply(before, answer) ? before : null;
            }
            return before.tokens().isVoid(token) ? null : meaning.answered().apply(before, answer);
        };
    }

    private static <S extends ObjectState<S>> Step<S> effect(Meaning<S, ?> meaning, @Nullable IdempotencyToken token) {
        return before -> before.tokens().isApplied(token) || before.tokens().isVoid(token)
                ? before
                : meaning.effect().apply(before, token);
    }

    /** Carries out and records a read of one moment. Does not record a read that fails. */
    <T> void read(int process, String text, Supplier<T> read, BiFunction<S, T, Boolean> isRight) {
        read(process, text, read, List.of(isRight));
    }

    /** Carries out and records a read, each of whose parts is right at some moment. Does not record a read that fails. */
    <T> void read(int process, String text, Supplier<T> read, List<BiFunction<S, T, Boolean>> parts) {
        long start = clock.incrementAndGet();
        T answer;
        try {
            answer = read.get();
        } catch (CounterException e) {
            return;
        }
        long end = clock.incrementAndGet();
        for (BiFunction<S, T, Boolean> isRight : parts) {
            String shown = text + " -> " + Shown.text(answer);
            add(Operation.observation(
                    process, shown, start, end, state -> isRight.apply(state, answer) ? state : null));
        }
    }

    /**
     * Carries out and records the resolution of a token. Returns whether the token was decided.
     *
     * @param isRight whether an applied token may resolve to this
     */
    boolean resolve(
            int process,
            IdempotencyToken token,
            Supplier<Resolution> resolve,
            BiFunction<S, Resolution, Boolean> isRight) {
        String text = "resolve token " + label(token);
        long start = clock.incrementAndGet();
        Step<S> effect = before -> before.tokens().isApplied(token)
                ? before
                : before.withTokens(before.tokens().voided(token));
        Resolution answer;
        try {
            answer = resolve.get();
        } catch (CounterException e) {
            add(Operation.unknown(process, text + " -> unknown", start, effect));
            return false;
        }
        String shown = text + " -> " + answer;
        if (answer.applied()) {
            observe(process, shown, start, state -> state.tokens().isApplied(token) && isRight.apply(state, answer));
        } else {
            Step<S> answered = before -> before.tokens().isApplied(token) ? null : effect.after(before);
            add(Operation.applied(process, shown, start, clock.incrementAndGet(), answered, effect));
        }
        return true;
    }

    private void observe(int process, String text, long start, Function<S, Boolean> isRight) {
        long end = clock.incrementAndGet();
        add(Operation.observation(process, text, start, end, state -> isRight.apply(state) ? state : null));
    }

    private synchronized String label(IdempotencyToken token) {
        return Objects.requireNonNull(labels.computeIfAbsent(token, unseen -> "t" + (labels.size() + 1)));
    }
}
