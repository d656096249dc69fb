package io.counterkit.spi;

/**
 * Where a change went that is covered by the token of a commit.
 *
 * @param kind whether it went to a counter or to a sequence
 * @param name its name
 * @param request for an append, which of the requests it was that were sent together, from 0 on; otherwise 0
 */
public record Origin(Kind kind, String name, int request) {
    /** The two abstractions. Their names do not collide: a counter and a sequence of one name are two things. */
    public enum Kind {
        /** A counter. */
        COUNTER,
        /** A sequence. */
        SEQUENCE
    }

    /** The counter of this name. */
    public static Origin counter(String name) {
        return new Origin(Kind.COUNTER, name, 0);
    }

    /** The sequence of this name, and one of the requests that were sent to it together. */
    public static Origin sequence(String name, int request) {
        return new Origin(Kind.SEQUENCE, name, request);
    }
}
