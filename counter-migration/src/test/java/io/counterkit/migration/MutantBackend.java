package io.counterkit.migration;

import io.counterkit.migration.internal.routing.Mutant;
import io.counterkit.migration.internal.routing.StorePair;

/** Creates migrating backends with the parts of a mutant. */
public final class MutantBackend {
    private MutantBackend() {}

    public static MigratingBackend of(StorePair pair, Mutant mutant) {
        return MigratingBackend.of(pair, mutant.parts().apply(pair));
    }
}
