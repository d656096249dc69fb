package io.counterkit.datastore.internal.sequence;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.tail.ChainTail;
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
import org.jspecify.annotations.Nullable;

/** The sequences of a Datastore. */
public final class DatastoreSequences implements SequenceStore {
    /** The entity groups of one transaction, but one: for the entry before a run, or for the name of a new sequence. */
    private static final int GROUPS = 24;

    /** What an entity group weighs. */
    private static final int GROUP = GROUPS - 1;

    private final DatastoreContext parts;

    public DatastoreSequences(DatastoreContext parts) {
        this.parts = parts;
    }

    @Override
    public BatchLimits limits() {
        return BatchLimits.ofWeight(GROUPS * GROUP).withOnePerName().withCallerRuns();
    }

    /**
     * An entry, and the token and the subject if there are. The commit's own token takes a group too, once there is a
     * request without one: the least weight, in each, leaves no room for a 24th group beside it.
     */
    @Override
    public int weight(AppendRequest request) {
        int subject = request.subject() == null ? 0 : GROUP;
        return GROUP + subject + (request.token() == null ? 1 : GROUP);
    }

    @Override
    public CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit) {
        return parts.callerThread()
                .change(() -> parts.writer()
                        .carryOut(
                                ChainName.sequence(sequence),
                                new AppendChange(
                                        parts.schema(),
                                        sequence,
                                        requests,
                                        commit,
                                        parts.now(),
                                        parts.expires(),
                                        number -> existing(sequence, number, commit)),
                                commit));
    }

    private Entry existing(String sequence, long number, Call call) {
        List<Entry> entries = entries(sequence, new NumberRange(number, number), call);
        if (entries.isEmpty()) {
            throw new CorruptDataException("entry " + number + " of sequence '" + sequence
                    + "' was there and is not any more: entries must not be deleted");
        }
        return entries.get(0);
    }

    @Override
    public CompletableFuture<Tail> tail(String sequence, Call call) {
        return parts.callerThread().read(sequence, call, () -> {
            ChainTail end = parts.finder().find(ChainName.sequence(sequence), call);
            return new Tail(end.number(), end.value(), end.seal());
        });
    }

    @Override
    public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
        return parts.callerThread().read(sequence, call, () -> entries(sequence, range, call));
    }

    /**
     * Stops at the first number that is not there: what lies behind may have been made while this was read. Up to the
     * end of an import, which each that is from there tells, it is one that is not copied.
     */
    private List<Entry> entries(String sequence, NumberRange range, Call call) {
        ChainName chain = ChainName.sequence(sequence);
        List<Key> keys = new ArrayList<>();
        for (long number = range.from(); number <= range.to(); number++) {
            keys.add(parts.schema().entryKey(chain, number));
        }
        Map<Key, Entity> read = parts.store().get(null, keys, call);
        List<ChainEntry> links = read.values().stream()
                .map(entity -> parts.schema().link(chain, entity))
                .sorted(Comparator.comparingLong(ChainEntry::number))
                .toList();
        long reached = links.stream()
                .filter(ChainEntry::isImported)
                .mapToLong(ChainEntry::runEnd)
                .max()
                .orElse(range.from() - 1);
        List<Entry> entries = new ArrayList<>();
        for (ChainEntry link : links) {
            if (link.number() > reached + 1 || link.seal() != null) {
                break;
            }
            reached = Math.max(reached, link.number());
            if (link.isEntry()) {
                entries.add(parts.schema().toEntry(link));
            }
        }
        return entries;
    }

    @Override
    public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
        return parts.callerThread()
                .change(() -> new RetryLoop(
                                parts.options(),
                                "erasing entry " + number + " of '" + sequence + "'",
                                sequence,
                                commit,
                                commit::token)
                        .carryOut(new Eraser(parts, sequence, number, commit)));
    }

    @Override
    public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
        return parts.callerThread()
                .read(prefix, call, () -> parts.names().page(ChangeTarget.Kind.SEQUENCE, prefix, cursor, limit, call));
    }

    @Override
    public CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return parts.seal(ChainName.sequence(sequence), forward, commit);
    }
}
