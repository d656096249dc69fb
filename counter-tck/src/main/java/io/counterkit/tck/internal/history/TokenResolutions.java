package io.counterkit.tck.internal.history;

import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resolutions of the tokens of one object. A token without a resolution was neither applied nor resolved. */
final class TokenResolutions {
    static final TokenResolutions NONE = new TokenResolutions(Map.of());

    private final Map<IdempotencyToken, Resolution> resolutions;

    /** Computed once, since a search looks each state up. */
    private final int hash;

    private TokenResolutions(Map<IdempotencyToken, Resolution> resolutions) {
        this.resolutions = resolutions;
        this.hash = resolutions.hashCode();
    }

    /** Returns what a token resolves to, null if that was not decided, or if there is no token. */
    @Nullable Resolution of(@Nullable IdempotencyToken token) {
        return token == null ? null : resolutions.get(token);
    }

    /** Returns whether a change was applied under this token. */
    boolean isApplied(@Nullable IdempotencyToken token) {
        Resolution resolution = of(token);
        return resolution != null && resolution.applied();
    }

    /** Returns whether this token was resolved as not applied. */
    boolean isNotApplied(@Nullable IdempotencyToken token) {
        Resolution resolution = of(token);
        return resolution != null && !resolution.applied();
    }

    /** Returns these resolutions with one more token that is decided; the same if there is no token. */
    TokenResolutions with(@Nullable IdempotencyToken token, Resolution resolution) {
        if (token == null) {
            return this;
        }
        Map<IdempotencyToken, Resolution> more = new HashMap<>(resolutions);
        more.put(token, resolution);
        return new TokenResolutions(more);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenResolutions that && hash == that.hash && resolutions.equals(that.resolutions);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
