package io.counterkit;

/**
 * Thrown when a counter or sequence is sealed: its content is final here and continues at {@link Seal#forward()}.
 * Nothing was applied by this call. Repeat the call there.
 */
public final class SealedException extends NotAppliedException {
    private static final long serialVersionUID = 1L;

    private final Seal seal;

    public SealedException(String name, Seal seal) {
        super("'" + name + "' was sealed at " + seal.last() + " and continues at '" + seal.forward() + "'");
        this.seal = seal;
    }

    /** Returns the seal. */
    public Seal seal() {
        return seal;
    }
}
