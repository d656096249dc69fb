package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a history.
 *
 * @param process which process called it
 * @param text the call and its answer, for messages
 * @param start when it was called, in the order of all calls and answers of its history
 * @param end when it answered; {@link Long#MAX_VALUE} if its outcome is unknown, since it may take effect later
 * @param answered what the answer requires and does; null if the outcome is unknown
 * @param effect what the operation does if it takes effect; null if it changes nothing
 * @param token the token of a change, or that a resolution states to be never applied; null if there is none
 * @param kind what the search knows about the operation
 */
record Operation<S>(
        int process,
        String text,
        long start,
        long end,
        @Nullable Step<S> answered,
        @Nullable Step<S> effect,
        @Nullable IdempotencyToken token,
        Kind kind) {
    /** What the search for a legal order knows about an operation. */
    enum Kind {
        /** A change of a total by a number that does not depend on the state. */
        ADDITION,
        /** A resolution whose answer states that no change with the token is ever applied. */
        NEVER_APPLIED,
        /** Any other operation. */
        OTHER
    }

    /** Returns an operation that observes the object and changes nothing. */
    static <S> Operation<S> observation(int process, String text, long start, long end, Step<S> answered) {
        return new Operation<>(process, text, start, end, answered, null, null, Kind.OTHER);
    }

    /** Returns an operation that took effect. */
    static <S> Operation<S> applied(int process, String text, long start, long end, Step<S> answered, Step<S> effect) {
        return new Operation<>(process, text, start, end, answered, effect, null, Kind.OTHER);
    }

    /** Returns an operation that may take effect at any time after its start, or never. */
    static <S> Operation<S> unknown(int process, String text, long start, Step<S> effect) {
        return new Operation<>(process, text, start, Long.MAX_VALUE, null, effect, null, Kind.OTHER);
    }

    /** Returns this operation with a token and a kind. */
    Operation<S> of(@Nullable IdempotencyToken newToken, Kind newKind) {
        return new Operation<>(process, text, start, end, answered, effect, newToken, newKind);
    }

    /** Returns whether this operation and another one have the same effect and answers in both orders. */
    boolean commutes(Operation<S> other) {
        return kind == Kind.ADDITION && other.kind == Kind.ADDITION && (token == null || !token.equals(other.token));
    }

    /** Returns whether every legal order contains this operation. */
    boolean isRequired() {
        return answered != null;
    }

    /** Returns the state after the operation, or null if it cannot happen in this state. */
    @Nullable S after(S before) {
        Step<S> step = answered != null ? answered : effect;
        return step == null ? before : step.after(before);
    }

    /**
     * Returns the operation without its answer: it may have taken effect, or not. Returns null if it changes nothing. A
     * history that is legal stays legal.
     */
    @Nullable Operation<S> withoutAnswer() {
        if (effect == null) {
            return null;
        }
        Operation<S> unknown = unknown(process, text, start, effect);
        return kind == Kind.NEVER_APPLIED ? unknown : unknown.of(token, kind);
    }
}
