package io.counterkit.migration.internal.routing;

/** The parts of a migrating backend. Tests replace one of them with a part that breaks a rule. */
public record RoutingParts(
        NameMover mover,
        NameLocator locator,
        SourceTokens sourceTokens,
        SubjectImporter subjects,
        MovedEntries entries) {
    public static RoutingParts of(StorePair stores) {
        return of(stores, new NameMover(stores));
    }

    static RoutingParts of(StorePair stores, NameMover mover) {
        return new RoutingParts(
                mover,
                new NameLocator(stores, mover),
                new SourceTokens(stores),
                new SubjectImporter(stores),
                new MovedEntries(stores));
    }
}
