package io.counterkit.migration;

/** What a migrating backend is made of; the tests put a part here that breaks a rule. */
record Parts(Moves moves, Routing routing, EarlierTokens earlier, Subjects subjects, MovedEntries entries) {
    static Parts of(Ends ends) {
        return of(ends, new Moves(ends));
    }

    static Parts of(Ends ends, Moves moves) {
        return new Parts(
                moves, new Routing(ends, moves), new EarlierTokens(ends), new Subjects(ends), new MovedEntries(ends));
    }
}
