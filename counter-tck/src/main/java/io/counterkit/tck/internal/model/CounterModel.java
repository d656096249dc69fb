package io.counterkit.tck.internal.model;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The expected state of one counter. Each change returns its expected answer, or the class of its failure. */
final class CounterModel {
    private final String name;
    private final Map<IdempotencyToken, Resolution> tokens;
    boolean isPresent;
    long total;

    /** All totals that the counter had and that can be read. */
    final Set<Long> totals = new HashSet<>(Set.of(0L));

    @Nullable Seal seal;

    @Nullable ImportedState base;

    /**
     * Whether the counter was deleted and not imported before. The contract does not state whether it can be imported.
     */
    boolean isDeleted;

    /** @param tokens the tokens of the store */
    CounterModel(String name, Map<IdempotencyToken, Resolution> tokens) {
        this.name = name;
        this.tokens = tokens;
    }

    /** Whether the counter was changed since its import. Until then, it may or may not be listed. */
    boolean isChanged = true;

    /** When the last change had ended, by {@link System#nanoTime}. */
    long changedAt = System.nanoTime();

    void changed() {
        changedAt = System.nanoTime();
    }

    Object add(long delta, @Nullable IdempotencyToken token) {
        Resolution known = token == null ? null : tokens.get(token);
        Resolution added = new Resolution.Added(name, delta);
        if (known != null && !known.applied() && seal != null) {
            return Set.of(TokenRefusedException.class, new Answers.RefusedBy(seal));
        }
        if (known != null) {
            return known.equals(added) ? Answers.DONE : TokenRefusedException.class;
        }
        if (seal != null) {
            return new Answers.RefusedBy(seal);
        }
        isChanged = true;
        isPresent = true;
        total += delta;
        record();
        if (token != null) {
            tokens.put(token, added);
        }
        return Answers.DONE;
    }

    Object reset() {
        if (seal != null) {
            return new Answers.RefusedBy(seal);
        }
        isChanged = true;
        total = 0;
        return Answers.DONE;
    }

    Object delete() {
        if (seal != null) {
            return new Answers.RefusedBy(seal);
        }
        isChanged = true;
        total = 0;
        isDeleted |= isPresent && base == null;
        isPresent = false;
        return Answers.DONE;
    }

    Object seal(String forward) {
        if (seal != null) {
            return seal.forward().equals(forward) ? seal : new Answers.RefusedBy(seal);
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
        record();
        return imported;
    }

    /** Returns whether the counter can be imported: it is absent, and neither sealed nor imported. */
    boolean isUnused() {
        return !isPresent && seal == null && base == null;
    }

    private void record() {
        if (isInRange()) {
            totals.add(total);
        }
    }

    /** Returns whether the total can be read. */
    boolean isInRange() {
        return total >= -Limits.MAX_TOTAL && total <= Limits.MAX_TOTAL;
    }
}
