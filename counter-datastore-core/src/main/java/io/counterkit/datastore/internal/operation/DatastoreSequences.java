package io.counterkit.datastore.internal.operation;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.CommitTokens;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.TokenNote;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The sequences of a Datastore. */
public final class DatastoreSequences implements SequenceStore {
    private final DatastoreContext context;

    /** The entity groups of one transaction, less one for the entry before a run or the name of a new sequence. */
    private final int mostGroups;

    /** The weight of an entity group: the number of entries that fit beside the group of the commit's token. */
    private final int groupWeight;

    public DatastoreSequences(DatastoreContext context) {
        this.context = context;
        mostGroups = context.options().mostGroups() - 1;
        groupWeight = mostGroups - 1;
    }

    @Override
    public BatchLimits limits() {
        return context.limits(mostGroups * groupWeight);
    }

    /**
     * Returns the weight of an entry, including its token and its subject. The commit's token takes one group for all
     * requests without a token: a weight of 1 for each of them is enough to reserve that group.
     */
    @Override
    public int weight(AppendRequest request) {
        int subject = request.subject() == null ? 0 : groupWeight;
        return groupWeight + subject + (request.token() == null ? 1 : groupWeight);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String name, List<AppendRequest> requests, Commit commit) {
        ChainName sequence = ChainName.sequence(name);
        return context.run(() -> {
            CommitTokens tokens = new CommitTokens(
                    context, requests.stream().map(AppendRequest::token).toList(), commit);
            List<StoreKey> subjects = requests.stream()
                    .filter(request -> request.subject() != null)
                    .map(request -> context.keys().subject(name, request.subject()))
                    .distinct()
                    .toList();
            ChainChange.Planner<List<Result<Entry>>> planner =
                    (tail, found) -> new AppendPlanner(context.keys(), sequence, tokens, tail, found)
                            .plan(requests, number -> existing(sequence, number, commit));
            return context.write(ChainChange.append(sequence, requests.size(), tokens, subjects, planner), commit);
        });
    }

    private Entry existing(ChainName sequence, long number, Call call) {
        List<Entry> entries = entries(sequence, new NumberRange(number, number), call);
        if (entries.isEmpty()) {
            throw ChainEntry.missing(sequence, number);
        }
        return entries.get(0);
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return context.read(List.of(sequence), call, () -> {
            ChainTail tail = context.finder().find(ChainName.sequence(sequence), call);
            return new Tail(tail.number(), tail.value(), tail.seal());
        });
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return context.read(List.of(sequence), call, () -> entries(ChainName.sequence(sequence), range, call));
    }

    /**
     * Reads entries up to the first missing number, since later ones may have been created during the read. Before the
     * end of an import, which each imported place states, a missing number is an entry that was not copied.
     */
    private List<Entry> entries(ChainName sequence, NumberRange range, Call call) {
        List<StoreKey> keys = LongStream.rangeClosed(range.from(), range.to())
                .mapToObj(number -> context.keys().entry(sequence, number))
                .toList();
        List<ChainEntry> found = context.client().get(null, keys, call).values().stream()
                .map(entity -> ChainEntry.read(context.keys(), sequence, entity))
                .sorted(Comparator.comparingLong(ChainEntry::number))
                .toList();
        long reached = found.stream()
                .filter(ChainEntry::isImported)
                .mapToLong(ChainEntry::runEnd)
                .max()
                .orElse(range.from() - 1);
        List<Entry> entries = new ArrayList<>();
        for (ChainEntry entry : found) {
            if (entry.number() > reached + 1 || entry.seal() != null) {
                break;
            }
            reached = Math.max(reached, entry.number());
            if (entry.isEntry()) {
                entries.add(entry.toEntry());
            }
        }
        return entries;
    }

    @Override
    public CompletableFuture<Boolean> erase(String name, long number, Commit commit) {
        return context.run(() -> {
            ChainName sequence = ChainName.sequence(name);
            String what = "erasing entry " + number + " of '" + name + "'";
            CommitTokens tokens = CommitTokens.own(context, commit);
            return context.loop(what, List.of(name), commit, RetryLoop.coveredBy(commit::token))
                    .runInTransaction(transaction -> erase(sequence, number, tokens, transaction, commit));
        });
    }

    private WritePlan<Boolean> erase(
            ChainName sequence, long number, CommitTokens tokens, StoreTransaction transaction, Commit commit) {
        StoreKey key = context.keys().entry(sequence, number);
        List<StoreKey> keys = new ArrayList<>(tokens.keys());
        keys.add(key);
        Map<StoreKey, StoreEntity> found = context.client().get(transaction, keys, commit);
        StoreEntity entry = found.get(key);
        if (entry == null || !ChainEntry.read(context.keys(), sequence, entry).isEntry()) {
            return WritePlan.nothing(false);
        }
        if (!ChainEntry.tryErase(entry)) {
            return WritePlan.nothing(true);
        }
        if (tokens.note(null, found) != null) {
            throw tokens.voided("erasing entry " + number + " of " + sequence);
        }
        return WritePlan.puts(List.of(entry, tokens.entity(null, TokenNote.Commit.of(sequence.name()))), true);
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return new ChainListing(context).page(ChangeTarget.Kind.SEQUENCE, prefix, cursor, limit, call);
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return new ChainSealing(context).seal(ChainName.sequence(sequence), forward, commit);
    }
}
