package io.counterkit.tck.internal.model;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ImportedState;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a store has to keep of one counter. Each change returns its answer, or the class of its failure. */
final class CounterModel {
    static final String DONE = "done";

    /** The failure of a change that a seal refuses. */
    record RefusedBy(Seal seal) {}

    private final String name;
    private final Map<IdempotencyToken, Resolution> tokens;
    boolean isPresent;
    long total;

    @Nullable Seal seal;

    @Nullable ImportedState base;

    /** Whether the counter was deleted before it was imported; whether it can be imported then is not in the contract. */
    boolean isDeleted;

    /** @param tokens the tokens of the store */
    CounterModel(String name, Map<IdempotencyToken, Resolution> tokens) {
        this.name = name;
        this.tokens = tokens;
    }

    /** Whether it was changed since its import. Before, it may be listed, or not. */
    boolean isChanged = true;

    Object add(long delta, @Nullable IdempotencyToken token) {
        Resolution known = token == null ? null : tokens.get(token);
        Resolution added = new Resolution.Added(name, delta);
        if (known != null && !known.applied() && seal != null) {
            return Set.of(TokenRefusedException.class, new RefusedBy(seal));
        }
        if (known != null) {
            return known.equals(added) ? DONE : TokenRefusedException.class;
        }
        if (seal != null) {
            return new RefusedBy(seal);
        }
        isChanged = true;
        isPresent = true;
        total += delta;
        if (token != null) {
            tokens.put(token, added);
        }
        return DONE;
    }

    Object reset() {
        if (seal != null) {
            return new RefusedBy(seal);
        }
        isChanged = true;
        total = 0;
        return DONE;
    }

    Object delete() {
        if (seal != null) {
            return new RefusedBy(seal);
        }
        isChanged = true;
        total = 0;
        isDeleted |= isPresent && base == null;
        isPresent = false;
        return DONE;
    }

    Object seal(String forward) {
        if (seal != null) {
            return seal.forward().equals(forward) ? seal : new RefusedBy(seal);
        }
        seal = new Seal(forward, total, total);
        return seal;
    }

    Object importBase(ImportedState imported) {
        if (base != null) {
            return base;
        }
        if (isPresent || seal != null) {
            return NotAppliedException.class;
        }
        isChanged = false;
        base = imported;
        isPresent = imported.isPresent();
        total = isPresent ? imported.value() : 0;
        return imported;
    }
}
