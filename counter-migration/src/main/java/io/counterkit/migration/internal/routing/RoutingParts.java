package io.counterkit.migration.internal.routing;

/** What a migrating backend is made of; the tests put a part here that breaks a rule. */
public record RoutingParts(
        NameMover moves, Routing routing, EarlierTokens earlier, Subjects subjects, MovedEntries entries) {
    public static RoutingParts of(StorePair ends) {
        return of(ends, new NameMover(ends));
    }

    public static RoutingParts of(StorePair ends, NameMover moves) {
        return new RoutingParts(
                moves, new Routing(ends, moves), new EarlierTokens(ends), new Subjects(ends), new MovedEntries(ends));
    }
}
