package io.counterkit.migration;

import io.counterkit.migration.internal.routing.Mutant;
import io.counterkit.migration.internal.routing.StorePair;

/** Creates migrating backends with the parts of a mutant. */
public final class MutantBackend {
    private MutantBackend() {}

    public static MigratingBackend of(StorePair pair, Mutant mutant) {
        return new MigratingBackend(pair, mutant.parts().apply(pair));
    }
}
