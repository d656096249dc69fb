package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fates of the tokens of one object. A token without a fate was neither applied nor resolved. */
record TokenFates(Map<IdempotencyToken, Resolution> fates) {
    static final TokenFates NONE = new TokenFates(Map.of());

    /** Returns what a token resolves to, null if that was not decided, or if there is no token. */
    @Nullable Resolution of(@Nullable IdempotencyToken token) {
        return token == null ? null : fates.get(token);
    }

    /** Returns whether a change was applied under this token. */
    boolean isApplied(@Nullable IdempotencyToken token) {
        Resolution fate = of(token);
        return fate != null && fate.applied();
    }

    /** Returns whether this token was resolved as not applied. */
    boolean isVoid(@Nullable IdempotencyToken token) {
        Resolution fate = of(token);
        return fate != null && !fate.applied();
    }

    /** Returns these fates with one more token that is decided; the same if there is no token. */
    TokenFates with(@Nullable IdempotencyToken token, Resolution fate) {
        if (token == null) {
            return this;
        }
        Map<IdempotencyToken, Resolution> more = new HashMap<>(fates);
        more.put(token, fate);
        return new TokenFates(more);
    }
}
