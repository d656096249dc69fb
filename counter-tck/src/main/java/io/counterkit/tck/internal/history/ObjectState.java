package io.counterkit.tck.internal.history;

/** The common state of counters and sequences: their tokens, and whether they are sealed. Immutable. */
interface ObjectState<S extends ObjectState<S>> {
    TokenFates tokens();

    boolean isSealed();

    S withTokens(TokenFates tokens);
}
