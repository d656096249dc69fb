package io.counterkit.tck.internal.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Decides whether a history has a legal order by trying every order and every set of unknown effects. */
final class BruteForce {
    private BruteForce() {}

    /** What a call answered if it did not return. */
    enum Failed {
        UNKNOWN,
        NOT_APPLIED,
        TOKEN_REFUSED,
        REFUSED
    }

    /**
     * A call with its answer.
     *
     * @param own the token of its commit, which is handed out if the outcome is unknown
     * @param answer what it returned, a {@link Failed}, or an exception's seal in a {@link SealedBy}
     */
    record Observed(int process, long start, long end, Call call, String own, Object answer) {
        boolean isUnknown() {
            return answer == Failed.UNKNOWN;
        }

        /** Returns the token under which the call changes the object. */
        String token() {
            if (call.token() != null) {
                return call.token();
            }
            return isUnknown() ? own : own + ", which was not handed out";
        }

        Observed with(Object other) {
            return new Observed(process, start, end, call, own, other);
        }
    }

    /** The seal of a {@link io.counterkit.SealedException}. */
    record SealedBy(io.counterkit.Seal seal) {}

    /** A total that may be old: at most {@code age} before the call. */
    record Recent(long total, long age) {}

    /** The kind of a call and its arguments; those that it does not have are null or 0. */
    record Call(
            String kind,
            long number,
            @Nullable String text,
            @Nullable String token) {}

    /** An answer, and the state after it. */
    record Outcome<S>(Object answer, S after) {}

    /** What an object does. */
    interface Model<S> {
        /** Returns each possible answer with its effect; the first one is that of an undisturbed call. */
        List<Outcome<S>> outcomes(S state, Observed observed);

        /** Returns an answer of several moments, the last one of which is in this state. */
        default Object refreshed(S state, Object answer, Random random) {
            return answer;
        }

        /**
         * Returns the answer of a call that is as old as this and was right in this state; null if no answer may be
         * old.
         */
        default @Nullable Object old(S state, Call call, long age) {
            return null;
        }

        /** Returns what is seen of an answer, each part at a moment of its own. */
        default List<Observed> parts(Observed observed) {
            return List.of(observed);
        }
    }

    static <S> boolean isLegal(Model<S> model, S initial, List<Observed> history) {
        return isPossible(
                model,
                initial,
                history.stream().flatMap(each -> model.parts(each).stream()).toList());
    }

    private static <S> boolean isPossible(Model<S> model, S state, List<Observed> left) {
        if (left.stream().allMatch(Observed::isUnknown)) {
            return true;
        }
        for (Observed next : left) {
            if (left.stream().anyMatch(other -> !other.isUnknown() && other.end() < next.start())) {
                continue;
            }
            S after = after(model, state, next);
            if (after != null) {
                List<Observed> rest = new ArrayList<>(left);
                rest.remove(next);
                if (isPossible(model, after, rest)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static <S> @Nullable S after(Model<S> model, S state, Observed next) {
        if (next.answer() == Failed.NOT_APPLIED) {
            return state;
        }
        for (Outcome<S> outcome : model.outcomes(state, next)) {
            if (next.isUnknown() || outcome.answer().equals(next.answer())) {
                return outcome.after();
            }
        }
        return null;
    }
}
