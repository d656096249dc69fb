package io.counterkit.inmemory;

import java.util.Collection;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Which of the calls to the store a fault hits. A batch is one call; it concerns every name in it. Immutable.
 *
 * @param name only calls that concern this counter or sequence; null for all
 * @param skip how many such calls pass first
 * @param times how many calls are hit after that
 * @param chance the probability with which each of them is hit
 * @param random decides on that
 */
public record Calls(@Nullable String name, int skip, int times, double chance, RandomGenerator random) {
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

    /** The next call, whatever it concerns. */
    public static Calls next() {
        return of(null, 1);
    }

    /** The next call that concerns {@code name}. */
    public static Calls next(String name) {
        return of(Objects.requireNonNull(name, "name"), 1);
    }

    /** Every call. */
    public static Calls all() {
        return of(null, Integer.MAX_VALUE);
    }

    /** Every call that concerns {@code name}. */
    public static Calls all(String name) {
        return of(Objects.requireNonNull(name, "name"), Integer.MAX_VALUE);
    }

    /** The same calls, but only after the first {@code skip} of them. */
    public Calls skipping(int calls) {
        return new Calls(name, calls, times, chance, random);
    }

    /**
     * Each of the same calls with a probability; a seeded {@code source} makes it repeatable, and is to be given to one
     * fault only unless it is thread-safe. Of several faults, one is asked only if those before it passed the call.
     */
    public Calls withChance(double probability, RandomGenerator source) {
        return new Calls(name, skip, times, probability, source);
    }

    boolean concern(Collection<String> names) {
        return name == null || names.contains(name);
    }
}
