package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fates of the tokens of one object. A token without a fate was neither applied nor resolved. */
record TokenFates(Map<IdempotencyToken, Long> fates) {
    static final TokenFates NONE = new TokenFates(Map.of());

    private static final long NEVER = -1;

    /** Returns whether a change was applied under this token. */
    boolean isApplied(@Nullable IdempotencyToken token) {
        Long fate = token == null ? null : fates.get(token);
        return fate != null && fate != NEVER;
    }

    /** Returns whether this token was resolved as not applied. */
    boolean isVoid(@Nullable IdempotencyToken token) {
        Long fate = token == null ? null : fates.get(token);
        return fate != null && fate == NEVER;
    }

    /** Returns the number that was assigned under an applied token; 0 if its change has no number. */
    long number(IdempotencyToken token) {
        return fates.getOrDefault(token, 0L);
    }

    /** Returns these fates with one more token applied; the same if there is no token. */
    TokenFates applied(@Nullable IdempotencyToken token, long number) {
        return token == null ? this : with(token, number);
    }

    /** Returns these fates with one more token that is never applied. */
    TokenFates voided(IdempotencyToken token) {
        return with(token, NEVER);
    }

    private TokenFates with(IdempotencyToken token, long fate) {
        Map<IdempotencyToken, Long> more = new HashMap<>(fates);
        more.put(token, fate);
        return new TokenFates(more);
    }
}
