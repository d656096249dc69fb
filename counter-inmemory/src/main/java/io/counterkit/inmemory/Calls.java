package io.counterkit.inmemory;

import java.util.Collection;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The calls to the store that a fault hits. A batch is one call; it concerns every name in it. Immutable.
 *
 * @param name the counter or sequence that the calls concern; null for any
 * @param skip how many such calls pass first, 0 or more
 * @param times how many calls are hit after that, 1 or more
 * @param chance the probability with which each of them is hit, more than 0 and at most 1
 * @param random the source of randomness
 */
public record Calls(@Nullable String name, int skip, int times, double chance, RandomGenerator random) {
    /** @throws IllegalArgumentException if {@code skip}, {@code times} or {@code chance} is out of range */
    public Calls {
        if (skip < 0 || times < 1) {
            throw new IllegalArgumentException(
                    "skip " + skip + " calls and hit " + times + ": use 0 or more and 1 or more");
        }
        if (!(chance > 0 && chance <= 1)) {
            throw new IllegalArgumentException("chance " + chance + ": use more than 0 and at most 1");
        }
        Objects.requireNonNull(random, "random");
    }

    private static Calls of(@Nullable String name, int times) {
        return new Calls(name, 0, times, 1, RandomGenerator.getDefault());
    }

    /** Returns the next call. */
    public static Calls next() {
        return of(null, 1);
    }

    /** Returns the next call that concerns {@code name}. */
    public static Calls next(String name) {
        return of(Objects.requireNonNull(name, "name"), 1);
    }

    /** Returns all calls. */
    public static Calls all() {
        return of(null, Integer.MAX_VALUE);
    }

    /** Returns all calls that concern {@code name}. */
    public static Calls all(String name) {
        return of(Objects.requireNonNull(name, "name"), Integer.MAX_VALUE);
    }

    /** Returns the same calls after the first {@code calls} of them. */
    public Calls skipping(int calls) {
        return new Calls(name, calls, times, chance, random);
    }

    /**
     * Returns the same calls, each hit with a probability. A seeded {@code source} makes the hits repeatable; use it
     * for one fault only unless it is thread-safe. The source is not read for a call that an earlier fault hits.
     */
    public Calls withChance(double probability, RandomGenerator source) {
        return new Calls(name, skip, times, probability, source);
    }

    boolean concern(Collection<String> names) {
        return name == null || names.contains(name);
    }
}
