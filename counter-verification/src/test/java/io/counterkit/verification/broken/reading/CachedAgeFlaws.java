package io.counterkit.verification.broken.reading;

import io.counterkit.verification.broken.flaw.CachesBoundedReads;
import io.counterkit.verification.broken.flaw.Flaw;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Chapter 3, continued: backends that read many counters from a cache, to which each was added at another time. */
public final class CachedAgeFlaws {
    private CachedAgeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                flaw("states the age of the newest of many cached totals for all of them", Collections::max),
                flaw("states the age of the first of many cached totals for all of them", moments -> moments.get(0)));
    }

    private static Flaw flaw(String does, Function<List<Long>, Long> of) {
        return Flaw.that(does, "3.21")
                .counters(store -> new CachesBoundedReads(
                        store, moments -> Collections.nCopies(moments.size(), of.apply(moments))));
    }
}
