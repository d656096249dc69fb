package io.counterkit.tck.internal.history;

import io.counterkit.ChangeRefusedException;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.TokenRefusedException;
import io.counterkit.tck.internal.history.Operation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Records the operations on one object, with the times of their calls and answers. Thread-safe. */
final class History<S extends ObjectState<S>> {
    private final S initial;
    private final Moments moments;
    private final List<Operation<S>> operations = new ArrayList<>();
    private final Map<IdempotencyToken, String> labels = new HashMap<>();

    /**
     * Creates an empty history.
     *
     * @param initial the state of the object before the first operation
     * @param nanoTime the time, in nanoseconds
     */
    History(S initial, LongSupplier nanoTime) {
        this.initial = initial;
        this.moments = new Moments(nanoTime);
    }

    S initial() {
        return initial;
    }

    synchronized List<Operation<S>> operations() {
        return List.copyOf(operations);
    }

    private synchronized void add(Operation<S> operation) {
        operations.add(operation);
    }

    /** An operation that was called and has not answered yet. */
    interface Pending<T> {
        /**
         * Records the answer.
         *
         * @param answer returns it, or throws the failure of the operation
         * @return the token that settles an unknown outcome, or null if the outcome is known
         */
        @Nullable IdempotencyToken end(Supplier<T> answer);
    }

    /**
     * The meaning of a change for its caller.
     *
     * @param text names the change in messages
     * @param kind what the search for a legal order knows about the change
     * @param token the caller's token, or null
     * @param effect the state after the change, without its token; null if the change is refused in this state
     * @param resolution what the token of the change resolves to after it took effect
     * @param isRight whether the change may return this, in the state after it
     * @param isSame whether the token, which was applied, stands for this change
     * @param isRefused whether the change may fail in this way, in this state, because the state does not permit it
     */
    record Meaning<S, T>(
            String text,
            Kind kind,
            @Nullable IdempotencyToken token,
            Function<S, @Nullable S> effect,
            Function<S, Resolution> resolution,
            BiPredicate<S, T> isRight,
            BiPredicate<S, @Nullable T> isSame,
            BiPredicate<S, RuntimeException> isRefused) {}

    /** Begins a change. */
    <T> Pending<T> change(int process, Meaning<S, T> meaning) {
        IdempotencyToken token = meaning.token();
        String text = token == null ? meaning.text() : meaning.text() + " with token " + label(token);
        Step<S> effect = effect(meaning, token);
        long start = moments.next();
        return answering -> {
            T answer;
            try {
                answer = answering.get();
            } catch (OutcomeUnknownException e) {
                String shown = text + " -> unknown, token " + label(e.token());
                add(Operation.unknown(process, shown, start, effect(meaning, e.token()))
                        .of(e.token(), meaning.kind()));
                return e.token();
            } catch (TokenRefusedException e) {
                observe(
                        process,
                        text + " -> token refused",
                        start,
                        state -> state.tokens().isNotApplied(token)
                                || (state.tokens().isApplied(token)
                                        && !meaning.isSame().test(state, null)));
                return null;
            } catch (SealedException | ChangeRefusedException | IllegalArgumentException e) {
                String shown = e instanceof SealedException sealed ? Shown.text(sealed.seal()) : "refused";
                observe(
                        process,
                        text + " -> " + shown,
                        start,
                        state -> meaning.isRefused().test(state, e)
                                && !state.tokens().isApplied(token));
                return null;
            } catch (NotAppliedException e) {
                long end = moments.next();
                add(Operation.applied(process, text + " -> not applied", start, end, before -> before, effect)
                        .of(token, meaning.kind()));
                return null;
            }
            long end = moments.next();
            String shown = answer == null || answer.equals(true) ? " -> applied" : " -> " + Shown.text(answer);
            add(Operation.applied(process, text + shown, start, end, answered(meaning, answer), effect)
                    .of(token, meaning.kind()));
            return null;
        };
    }

    private static <S extends ObjectState<S>, T> Step<S> answered(Meaning<S, T> meaning, T answer) {
        IdempotencyToken token = meaning.token();
        return before -> {
            if (before.tokens().isApplied(token)) {
                return meaning.isSame().test(before, answer) ? before : null;
            }
            S after = before.tokens().isNotApplied(token)
                    ? null
                    : meaning.effect().apply(before);
            return after == null || !meaning.isRight().test(after, answer) ? null : applied(meaning, token, after);
        };
    }

    private static <S extends ObjectState<S>> Step<S> effect(Meaning<S, ?> meaning, @Nullable IdempotencyToken token) {
        return before -> {
            S after =
                    before.tokens().of(token) != null ? null : meaning.effect().apply(before);
            return after == null ? before : applied(meaning, token, after);
        };
    }

    private static <S extends ObjectState<S>> S applied(
            Meaning<S, ?> meaning, @Nullable IdempotencyToken token, S after) {
        return token == null
                ? after
                : after.withTokens(
                        after.tokens().with(token, meaning.resolution().apply(after)));
    }

    /** Begins a read, each of whose parts is right at some moment. A read that fails is not recorded. */
    <T> Pending<T> read(int process, String text, List<BiPredicate<S, T>> parts) {
        return read(process, text, answer -> 0, parts);
    }

    /**
     * Begins a read whose answer states its age.
     *
     * @param age returns how long before the answer the moment of each part is at most, in nanoseconds
     */
    <T> Pending<T> read(int process, String text, ToLongFunction<T> age, List<BiPredicate<S, T>> parts) {
        long start = moments.next();
        return answering -> {
            T answer;
            try {
                answer = answering.get();
            } catch (CounterOverflowException e) {
                observe(process, text + " -> out of range", start, ObjectState::isOutOfRange);
                return null;
            } catch (CounterException e) {
                if (!isFailureOfARead(e)) {
                    observe(process, text + " -> " + e, start, state -> false);
                }
                return null;
            }
            long end = moments.next();
            long nanos = age.applyAsLong(answer);
            long earliest = nanos == 0 ? start : moments.before(start, nanos);
            String shown = text + " -> " + Shown.text(answer);
            for (BiPredicate<S, T> isRight : parts) {
                add(Operation.observation(
                        process, shown, earliest, end, state -> isRight.test(state, answer) ? state : null));
            }
            return null;
        };
    }

    /** Returns whether a read may fail in this way if the store cannot be read. */
    private static boolean isFailureOfARead(CounterException failure) {
        return failure.outcome() == Outcome.NOT_APPLIED
                && !(failure instanceof SealedException
                        || failure instanceof TokenRefusedException
                        || failure instanceof ChangeRefusedException
                        || failure instanceof CorruptDataException);
    }

    /** Begins the resolution of a token. */
    Pending<Resolution> resolve(int process, IdempotencyToken token) {
        String text = "resolve token " + label(token);
        long start = moments.next();
        Resolution never = new Resolution.NotApplied();
        Step<S> effect = before -> before.tokens().isApplied(token)
                ? before
                : before.withTokens(before.tokens().with(token, never));
        return answering -> {
            Resolution answer;
            try {
                answer = answering.get();
            } catch (CounterException e) {
                add(Operation.unknown(process, text + " -> unknown", start, effect));
                return token;
            }
            String shown = text + " -> " + answer;
            if (answer.applied()) {
                observe(
                        process,
                        shown,
                        start,
                        state -> answer.equals(state.tokens().of(token)));
            } else {
                Step<S> answered = before -> before.tokens().isApplied(token) ? null : effect.after(before);
                add(Operation.applied(process, shown, start, moments.next(), answered, effect)
                        .of(token, Kind.NEVER_APPLIED));
            }
            return null;
        };
    }

    private void observe(int process, String text, long start, Predicate<S> isRight) {
        long end = moments.next();
        add(Operation.observation(process, text, start, end, state -> isRight.test(state) ? state : null));
    }

    private synchronized String label(IdempotencyToken token) {
        return Objects.requireNonNull(labels.computeIfAbsent(token, unseen -> "t" + (labels.size() + 1)));
    }
}
