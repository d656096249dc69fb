package io.counterkit.migration;

import java.util.function.Function;

/**
 * A migration that breaks a rule, or none.
 *
 * @param breaks what it does wrong
 * @param parts what it is made of
 */
record Mutant(String breaks, Function<Ends, Parts> parts) {
    static final Mutant NONE = new Mutant("nothing", Parts::of);

    static Mutant with(String breaks, Function<Ends, Moves> moves) {
        return new Mutant(breaks, ends -> Parts.of(ends, moves.apply(ends)));
    }

    @Override
    public String toString() {
        return breaks;
    }
}
