package io.counterkit.verification.broken;

import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.verification.broken.concurrency.AddRaceFlaws;
import io.counterkit.verification.broken.concurrency.ClearingFlaws;
import io.counterkit.verification.broken.concurrency.ContentionFlaws;
import io.counterkit.verification.broken.concurrency.FastPathFlaws;
import io.counterkit.verification.broken.concurrency.HalfShownFlaws;
import io.counterkit.verification.broken.concurrency.HistoryFlaws;
import io.counterkit.verification.broken.concurrency.InFlightFlaws;
import io.counterkit.verification.broken.concurrency.LateBatchFlaws;
import io.counterkit.verification.broken.concurrency.LongSeriesFlaws;
import io.counterkit.verification.broken.concurrency.LookAlikeFlaws;
import io.counterkit.verification.broken.concurrency.MutationFlaws;
import io.counterkit.verification.broken.concurrency.OverlapFlaws;
import io.counterkit.verification.broken.concurrency.RegistryFlaws;
import io.counterkit.verification.broken.concurrency.SeriesFlaws;
import io.counterkit.verification.broken.concurrency.SharingFlaws;
import io.counterkit.verification.broken.counter.AddFlaws;
import io.counterkit.verification.broken.counter.BatchStateFlaws;
import io.counterkit.verification.broken.counter.BatchSumFlaws;
import io.counterkit.verification.broken.counter.LargeTotalFlaws;
import io.counterkit.verification.broken.counter.LedgerFlaws;
import io.counterkit.verification.broken.counter.RangeFlaws;
import io.counterkit.verification.broken.counter.RefusedNeighbourFlaws;
import io.counterkit.verification.broken.counter.ResetFlaws;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Listeners;
import io.counterkit.verification.broken.migration.BeforehandFlaws;
import io.counterkit.verification.broken.migration.ImportFlaws;
import io.counterkit.verification.broken.migration.ImportedEntryFlaws;
import io.counterkit.verification.broken.migration.LeftoverFlaws;
import io.counterkit.verification.broken.migration.SealFlaws;
import io.counterkit.verification.broken.migration.SealedNameFlaws;
import io.counterkit.verification.broken.migration.SealedUseFlaws;
import io.counterkit.verification.broken.migration.StatedFlaws;
import io.counterkit.verification.broken.migration.UndeclaredFlaws;
import io.counterkit.verification.broken.outcome.BreakerFlaws;
import io.counterkit.verification.broken.outcome.CallerFlaws;
import io.counterkit.verification.broken.outcome.DefaultsFlaws;
import io.counterkit.verification.broken.outcome.ExpiringFlaws;
import io.counterkit.verification.broken.outcome.LateAttemptFlaws;
import io.counterkit.verification.broken.outcome.LifecycleFlaws;
import io.counterkit.verification.broken.outcome.LostErasureFlaws;
import io.counterkit.verification.broken.outcome.OutageFlaws;
import io.counterkit.verification.broken.outcome.OutcomeFlaws;
import io.counterkit.verification.broken.outcome.OverdueFlaws;
import io.counterkit.verification.broken.outcome.RefusalFlaws;
import io.counterkit.verification.broken.outcome.RemainderFlaws;
import io.counterkit.verification.broken.outcome.ReopenedFlaws;
import io.counterkit.verification.broken.outcome.RetryFlaws;
import io.counterkit.verification.broken.outcome.SecondWriteFlaws;
import io.counterkit.verification.broken.outcome.SlowStoreFlaws;
import io.counterkit.verification.broken.outcome.ThreadFlaws;
import io.counterkit.verification.broken.outcome.UnstoredFlaws;
import io.counterkit.verification.broken.outcome.UseFlaws;
import io.counterkit.verification.broken.reading.BoundFlaws;
import io.counterkit.verification.broken.reading.CachedAgeFlaws;
import io.counterkit.verification.broken.reading.ClosingListenerFlaws;
import io.counterkit.verification.broken.reading.ClosingWatchFlaws;
import io.counterkit.verification.broken.reading.CounterListenerFlaws;
import io.counterkit.verification.broken.reading.CounterReportFlaws;
import io.counterkit.verification.broken.reading.EarlierAnswerFlaws;
import io.counterkit.verification.broken.reading.ReadFlaws;
import io.counterkit.verification.broken.reading.ReadingFlaws;
import io.counterkit.verification.broken.reading.SharedWatchFlaws;
import io.counterkit.verification.broken.reading.SilentReadFlaws;
import io.counterkit.verification.broken.reading.TieFlaws;
import io.counterkit.verification.broken.reading.TopFlaws;
import io.counterkit.verification.broken.reading.UnheardFlaws;
import io.counterkit.verification.broken.reading.WatchFlaws;
import io.counterkit.verification.broken.reading.WatchedChangeFlaws;
import io.counterkit.verification.broken.reading.WatchedNamesFlaws;
import io.counterkit.verification.broken.sequence.AppendReportFlaws;
import io.counterkit.verification.broken.sequence.BatchFlaws;
import io.counterkit.verification.broken.sequence.EntryFlaws;
import io.counterkit.verification.broken.sequence.FollowFlaws;
import io.counterkit.verification.broken.sequence.LastingFlaws;
import io.counterkit.verification.broken.sequence.ListenerFlaws;
import io.counterkit.verification.broken.sequence.NumberOrderFlaws;
import io.counterkit.verification.broken.sequence.SequenceFlaws;
import io.counterkit.verification.broken.sequence.SparseRangeFlaws;
import io.counterkit.verification.broken.size.CacheFlaws;
import io.counterkit.verification.broken.size.ChunkFlaws;
import io.counterkit.verification.broken.size.FirstChunkFlaws;
import io.counterkit.verification.broken.size.ForgottenFlaws;
import io.counterkit.verification.broken.size.KeyLengthFlaws;
import io.counterkit.verification.broken.size.LargeCallFlaws;
import io.counterkit.verification.broken.size.LongNamesFlaws;
import io.counterkit.verification.broken.size.LongTextFlaws;
import io.counterkit.verification.broken.size.MixedBatchFlaws;
import io.counterkit.verification.broken.size.SizeFlaws;
import io.counterkit.verification.broken.size.SplitFlaws;
import io.counterkit.verification.broken.size.WideEntryFlaws;
import io.counterkit.verification.broken.text.CachedKeyFlaws;
import io.counterkit.verification.broken.text.CharacterFlaws;
import io.counterkit.verification.broken.text.KeyFlaws;
import io.counterkit.verification.broken.text.ListFlaws;
import io.counterkit.verification.broken.text.ListOrderFlaws;
import io.counterkit.verification.broken.text.ManyValuesFlaws;
import io.counterkit.verification.broken.text.NameFlaws;
import io.counterkit.verification.broken.text.OperationFlaws;
import io.counterkit.verification.broken.text.PrefixFlaws;
import io.counterkit.verification.broken.text.SignFlaws;
import io.counterkit.verification.broken.text.SubstituteFlaws;
import io.counterkit.verification.broken.text.TextFlaws;
import io.counterkit.verification.broken.text.TextKeyFlaws;
import io.counterkit.verification.broken.text.TypedTextFlaws;
import io.counterkit.verification.broken.text.ValueFlaws;
import io.counterkit.verification.broken.text.WholeTextFlaws;
import io.counterkit.verification.broken.token.ComparisonFlaws;
import io.counterkit.verification.broken.token.ConcludedFlaws;
import io.counterkit.verification.broken.token.DecidedFlaws;
import io.counterkit.verification.broken.token.KeptDecisionFlaws;
import io.counterkit.verification.broken.token.LateFlaws;
import io.counterkit.verification.broken.token.TokenFlaws;
import io.counterkit.verification.broken.token.TokenScopeFlaws;
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
                        ValueFlaws.all(),
                        AddFlaws.all(),
                        ReadFlaws.all(),
                        SizeFlaws.all(),
                        MixedBatchFlaws.all(),
                        WatchFlaws.all(),
                        TokenFlaws.all(),
                        LateFlaws.all(),
                        OutcomeFlaws.all(),
                        RetryFlaws.all(),
                        OutageFlaws.all(),
                        SilentReadFlaws.all(),
                        ResetFlaws.all(),
                        SequenceFlaws.all(),
                        EntryFlaws.all(),
                        BatchFlaws.all(),
                        ChunkFlaws.all(),
                        LastingFlaws.all(),
                        SealFlaws.all(),
                        UndeclaredFlaws.all(),
                        LifecycleFlaws.all(),
                        ImportFlaws.all(),
                        ImportedEntryFlaws.all(),
                        TopFlaws.all(),
                        ContentionFlaws.all(),
                        DecidedFlaws.all(),
                        SealedNameFlaws.all(),
                        HistoryFlaws.all(),
                        FollowFlaws.all(),
                        ClearingFlaws.all(),
                        ListFlaws.all(),
                        ReadingFlaws.all(),
                        WatchedNamesFlaws.all(),
                        LedgerFlaws.all(),
                        KeyFlaws.all(),
                        CachedKeyFlaws.all(),
                        TokenScopeFlaws.all(),
                        ComparisonFlaws.all(),
                        BoundFlaws.all(),
                        PrefixFlaws.all(),
                        KeyLengthFlaws.all(),
                        RefusalFlaws.all(),
                        CacheFlaws.all(),
                        BreakerFlaws.all(),
                        TextKeyFlaws.all(),
                        InFlightFlaws.all(),
                        SharingFlaws.all(),
                        OverlapFlaws.all(),
                        LargeCallFlaws.all(),
                        LongNamesFlaws.all(),
                        RangeFlaws.all(),
                        RemainderFlaws.all(),
                        MutationFlaws.all(),
                        SeriesFlaws.all(),
                        CharacterFlaws.all(),
                        SplitFlaws.all(),
                        UseFlaws.all(),
                        ListenerFlaws.all(),
                        OperationFlaws.all(),
                        CounterListenerFlaws.all(),
                        SharedWatchFlaws.all(),
                        AddRaceFlaws.all(),
                        BatchSumFlaws.all(),
                        LeftoverFlaws.all(),
                        CachedAgeFlaws.all(),
                        RefusedNeighbourFlaws.all(),
                        LongSeriesFlaws.all(),
                        FastPathFlaws.all(),
                        LookAlikeFlaws.all(),
                        EarlierAnswerFlaws.all(),
                        SecondWriteFlaws.all(),
                        ForgottenFlaws.all(),
                        LateBatchFlaws.all(),
                        RegistryFlaws.all(),
                        LostErasureFlaws.all(),
                        CounterReportFlaws.all(),
                        AppendReportFlaws.all(),
                        LateAttemptFlaws.all(),
                        WholeTextFlaws.all(),
                        ListOrderFlaws.all(),
                        ReopenedFlaws.all(),
                        CallerFlaws.all(),
                        ConcludedFlaws.all(),
                        HalfShownFlaws.all(),
                        ExpiringFlaws.all(),
                        KeptDecisionFlaws.all(),
                        WatchedChangeFlaws.all(),
                        ManyValuesFlaws.all(),
                        BatchStateFlaws.all(),
                        OverdueFlaws.all(),
                        SealedUseFlaws.all(),
                        StatedFlaws.all(),
                        FirstChunkFlaws.all(),
                        WideEntryFlaws.all(),
                        SparseRangeFlaws.all(),
                        ClosingListenerFlaws.all(),
                        ClosingWatchFlaws.all(),
                        UnstoredFlaws.all(),
                        NumberOrderFlaws.all(),
                        ThreadFlaws.all(),
                        TieFlaws.all(),
                        SignFlaws.all(),
                        BeforehandFlaws.all(),
                        TypedTextFlaws.all(),
                        SubstituteFlaws.all(),
                        UnheardFlaws.all(),
                        LargeTotalFlaws.all(),
                        LongTextFlaws.all(),
                        SlowStoreFlaws.all(),
                        DefaultsFlaws.all())
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
                                Flaw.that("has no flaw and reports changes to listeners of counters")
                                        .backend(Listeners::new, CounterListenerFlaws::reporting),
                                AppendReportFlaws.none(),
                                modest()))
                .toList();
    }

    static Flaw modest() {
        return Flaw.that("has no optional capability").backend(UndeclaredFlaws::modest);
    }

    static Flaw thatDoes(String what) {
        return Stream.of(all(), none(), UNLISTED.values())
                .flatMap(Collection::stream)
                .filter(flaw -> flaw.does().equals(what))
                .findFirst()
                .orElseThrow();
    }
}
