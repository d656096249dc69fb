package io.counterkit.verification.broken;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** All flaws, and correct backends. */
final class Flaws {
    private static final Map<String, Flaw> UNLISTED = new ConcurrentHashMap<>();

    private Flaws() {}

    /** Lets {@link #thatDoes} find a flaw that is not in {@link #all}, since its run needs other settings. */
    static void alsoFind(Flaw flaw) {
        UNLISTED.put(flaw.does(), flaw);
    }

    /** Returns the flaws in the order of the chapters. */
    static List<Flaw> all() {
        return Stream.<List<Flaw>>of(
                        NameFlaws.all(),
                        TextFlaws.all(),
                        AddFlaws.all(),
                        ReadFlaws.all(),
                        SizeFlaws.all(),
                        WatchFlaws.all(),
                        TokenFlaws.all(),
                        LateFlaws.all(),
                        OutcomeFlaws.all(),
                        OutageFlaws.all(),
                        SilentReadFlaws.all(),
                        ResetFlaws.all(),
                        SequenceFlaws.all(),
                        EntryFlaws.all(),
                        BatchFlaws.all(),
                        ChunkFlaws.all(),
                        LastingFlaws.all(),
                        SealFlaws.all(),
                        LifecycleFlaws.all(),
                        ImportFlaws.all(),
                        EdgeFlaws.all(),
                        HistoryFlaws.all(),
                        FollowFlaws.all(),
                        ClearingFlaws.all(),
                        ListFlaws.all(),
                        ReadingFlaws.all(),
                        WatchedNamesFlaws.all(),
                        LedgerFlaws.all(),
                        KeyFlaws.all(),
                        TokenScopeFlaws.all(),
                        RefusalFlaws.all(),
                        CacheFlaws.all(),
                        TextKeyFlaws.all(),
                        InFlightFlaws.all(),
                        SharingFlaws.all(),
                        RemainderFlaws.all(),
                        MutationFlaws.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Returns correct backends of different kinds. */
    static List<Flaw> none() {
        BatchLimits batches = BatchLimits.ofWeight(20);
        return Stream.concat(
                        Unusual.all().stream(),
                        Stream.of(
                                Flaw.that("has no flaw").backend(ForwardingCounterBackend::new),
                                Flaw.that("has no flaw and receives several batches at once")
                                        .batched(batches.withInFlight(3))
                                        .backend(ForwardingCounterBackend::new),
                                Flaw.that("has no flaw and receives batches of one counter")
                                        .batched(batches.withOnePerName())
                                        .backend(ForwardingCounterBackend::new),
                                Flaw.that("has no flaw and reports changes to watches")
                                        .counters(WatchFlaws::reporting),
                                modest()))
                .toList();
    }

    static Flaw modest() {
        return Flaw.that("has no optional capability").backend(SealFlaws::modest);
    }

    static Flaw thatDoes(String what) {
        return Stream.of(all(), none(), UNLISTED.values())
                .flatMap(Collection::stream)
                .filter(flaw -> flaw.does().equals(what))
                .findFirst()
                .orElseThrow();
    }
}
