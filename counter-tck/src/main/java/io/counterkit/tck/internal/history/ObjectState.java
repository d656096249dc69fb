package io.counterkit.tck.internal.history;

/** What counters and sequences have in common: tokens, and whether they are sealed. Immutable. */
interface ObjectState<S extends ObjectState<S>> {
    TokenFates tokens();

    boolean isSealed();

    S withTokens(TokenFates tokens);
}
