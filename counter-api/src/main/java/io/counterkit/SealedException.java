package io.counterkit;

import java.util.Objects;

/**
 * The counter or sequence was sealed: its content is final here and lives on at {@link Seal#forward()}. Nothing was
 * applied by this call; repeat it at the new place.
 */
public final class SealedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    private final transient Seal seal;

    /** Creates one for {@code name}, which carries {@code seal}. */
    public SealedException(String name, Seal seal) {
        super("'" + name + "' was sealed at " + seal.last() + " and lives on at '" + seal.forward() + "'");
        this.seal = Objects.requireNonNull(seal, "seal");
    }

    /** The seal that was met. */
    public Seal seal() {
        return seal;
    }
}
