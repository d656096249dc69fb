package io.counterkit.spi;

/**
 * Where a change went that is covered by the token of a commit.
 *
 * @param kind whether it went to a counter or to a sequence
 * @param name its name
 * @param request for an append, which of the requests it was that were sent together, from 0 on; otherwise −1
 */
public record ChangeTarget(Kind kind, String name, int request) {
    /** The two abstractions. Their names do not collide: a counter and a sequence of one name are two things. */
    public enum Kind {
        /** A counter. */
        COUNTER,
        /** A sequence. */
        SEQUENCE
    }

    /** A change of the counter of this name. */
    public static ChangeTarget counter(String name) {
        return new ChangeTarget(Kind.COUNTER, name, -1);
    }

    /** A seal or an erasure in the sequence of this name. */
    public static ChangeTarget sequence(String name) {
        return new ChangeTarget(Kind.SEQUENCE, name, -1);
    }

    /** An append to the sequence of this name, one of those that were sent together. */
    public static ChangeTarget append(String sequence, int request) {
        return new ChangeTarget(Kind.SEQUENCE, sequence, request);
    }

    /** Whether it was an append. */
    public boolean isAppend() {
        return request >= 0;
    }
}
