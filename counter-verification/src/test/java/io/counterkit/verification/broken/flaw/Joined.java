package io.counterkit.verification.broken.flaw;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Joins lists of the same size, such as names and their results. */
public final class Joined {
    private Joined() {}

    /** Returns what {@code join} makes of the elements at each place. */
    public static <A, B, R> List<R> of(List<A> first, List<B> second, BiFunction<A, B, R> join) {
        return IntStream.range(0, first.size())
                .mapToObj(i -> join.apply(first.get(i), second.get(i)))
                .toList();
    }
}
