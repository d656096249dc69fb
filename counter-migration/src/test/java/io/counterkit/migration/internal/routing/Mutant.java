package io.counterkit.migration.internal.routing;

import java.util.function.Function;

/**
 * A migration that breaks a rule, or none.
 *
 * @param breaks how it breaks the rule
 * @param parts creates its parts
 */
public record Mutant(String breaks, Function<StorePair, RoutingParts> parts) {
    public static final Mutant NONE = new Mutant("nothing", RoutingParts::of);

    static Mutant with(String breaks, Function<StorePair, NameMover> mover) {
        return new Mutant(breaks, pair -> RoutingParts.of(pair, mover.apply(pair)));
    }

    @Override
    public String toString() {
        return breaks;
    }
}
