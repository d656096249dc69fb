package io.counterkit.spi;

/**
 * The counter or sequence that a commit changed, as {@link CounterBackend#resolve} needs it.
 *
 * @param kind whether the commit changed a counter or a sequence
 * @param name its name
 * @param request for an append, its index in the commit's list of requests; otherwise −1
 */
public record ChangeTarget(Kind kind, String name, int request) {
    /** The two abstractions. A counter and a sequence with the same name are independent. */
    public enum Kind {
        /** A counter. */
        COUNTER,
        /** A sequence. */
        SEQUENCE
    }

    /** Returns the target of any change of a counter. */
    public static ChangeTarget counter(String name) {
        return new ChangeTarget(Kind.COUNTER, name, -1);
    }

    /** Returns the target of a seal or an erasure in a sequence. */
    public static ChangeTarget sequence(String name) {
        return new ChangeTarget(Kind.SEQUENCE, name, -1);
    }

    /** Returns the target of the append that is {@code request} in its batch, counted from 0. */
    public static ChangeTarget append(String sequence, int request) {
        return new ChangeTarget(Kind.SEQUENCE, sequence, request);
    }

    /** Returns whether the change was an append. */
    public boolean isAppend() {
        return request >= 0;
    }
}
