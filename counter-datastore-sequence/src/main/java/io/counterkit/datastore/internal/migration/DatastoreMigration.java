package io.counterkit.datastore.internal.migration;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.chain.PutMissing;
import io.counterkit.datastore.internal.client.RetryLoop;
import io.counterkit.datastore.internal.counter.CounterEnd;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreSchema;
import io.counterkit.datastore.internal.schema.ImportFormat;
import io.counterkit.datastore.internal.tail.ChainTail;
import io.counterkit.datastore.internal.tail.TailFinder;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What this store does for a migration, as the end that counters and sequences are moved from, or to. */
public final class DatastoreMigration implements MigrationStore {
    private static final int MOST_COPIES = 100;

    private final DatastoreContext parts;
    private final ImportFormat format;

    public DatastoreMigration(DatastoreContext parts) {
        this.parts = parts;
        this.format = new ImportFormat(parts.schema());
    }

    /** A seal was put at a time by the clock of the process that sealed: the store itself tells none. */
    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        List<ChainName> chains =
                names.stream().map(name -> new ChainName(kind, name)).toList();
        return parts.callerThread().read(names.toString(), call, () -> states(chains, call));
    }

    private List<NameState> states(List<ChainName> chains, Call call) {
        Map<ChainName, TailFinder.Ending> endings = parts.finder().find(chains, call);
        List<Key> seals = new ArrayList<>();
        for (ChainName chain : chains) {
            ChainTail end = Objects.requireNonNull(endings.get(chain)).orThrow();
            if (end.seal() != null) {
                seals.add(sealKey(chain, end));
            }
        }
        Map<Key, Entity> read = parts.finder().read(seals, call);
        return chains.stream()
                .map(chain -> {
                    ChainTail end = Objects.requireNonNull(endings.get(chain)).orThrow();
                    return state(chain, end, read.get(sealKey(chain, end)));
                })
                .toList();
    }

    private Key sealKey(ChainName chain, ChainTail end) {
        return parts.schema().entryKey(chain, end.number() + 1);
    }

    /** A seal stays and so does what is before it, so that it does not matter that they were read one after another. */
    private static NameState state(ChainName chain, ChainTail end, @Nullable Entity sealed) {
        boolean isPresent = chain.kind() == ChangeTarget.Kind.COUNTER
                ? !new CounterEnd(end.newest()).isAbsent()
                : end.newest() != null;
        if (end.seal() == null) {
            return new NameState(isPresent, null, null);
        }
        if (sealed == null) {
            throw new CorruptDataException("the seal of " + chain + " was there and is not any more");
        }
        return new NameState(isPresent, end.seal(), DatastoreSchema.at(sealed));
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        Key key = parts.schema().subjectKey(sequence, subject);
        return parts.callerThread().read(sequence, call, () -> {
            Entity stored = parts.store().get(null, List.of(key), call).get(key);
            return stored == null ? Optional.empty() : Optional.of(DatastoreSchema.isLive(stored));
        });
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState base, Call call) {
        ChainName chain = new ChainName(kind, name);
        return parts.callerThread()
                .change(() ->
                        parts.writer().carryOutOnce(chain, new ImportChange(format, chain, base, parts.now()), call));
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        List<Key> markers = names.stream()
                .map(name -> parts.schema().importKey(new ChainName(kind, name)))
                .toList();
        return parts.callerThread().read(names.toString(), call, () -> {
            Map<Key, Entity> read = parts.finder().read(markers, call);
            return markers.stream()
                    .map(marker -> Optional.ofNullable(read.get(marker)).map(ImportFormat::base))
                    .toList();
        });
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return fill(
                "importing subject '" + subject + "' of '" + sequence + "'",
                sequence,
                () -> List.of(parts.schema().subject(sequence, subject, isLive)),
                stored -> true,
                call);
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return fill(
                "copying entries of '" + sequence + "'",
                sequence,
                () -> missing(sequence, entries, call),
                ImportFormat::isEntry,
                call);
    }

    /** The entries to be copied that are not there yet. */
    private List<Entity> missing(String sequence, List<Entry> entries, Call call) {
        if (entries.size() > MOST_COPIES) {
            throw new IllegalArgumentException(entries.size() + " entries at once: at most " + MOST_COPIES);
        }
        Key marker = parts.schema().importKey(ChainName.sequence(sequence));
        List<Key> keys = new ArrayList<>(List.of(marker));
        entries.forEach(entry -> keys.add(format.key(sequence, entry.number())));
        Map<Key, Entity> read = RetryLoop.reading(
                parts.options(), sequence, call, unused -> parts.store().get(null, keys, call));
        Entity imported = read.get(marker);
        ImportedState base = imported == null ? null : ImportFormat.base(imported);
        Map<Key, Entity> missing = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (base == null || entry.number() > base.last()) {
                throw new NotAppliedException("copying entry " + entry.number() + " to '" + sequence + "', which was "
                        + (base == null ? "not imported" : "imported up to " + base.last()) + ": nothing was copied");
            }
            Key key = format.key(sequence, entry.number());
            Entity stored = read.get(key);
            if (stored == null || !ImportFormat.isEntry(stored)) {
                missing.putIfAbsent(key, format.copy(sequence, entry, base));
            }
        }
        return List.copyOf(missing.values());
    }

    private CompletableFuture<Void> fill(
            String what, String sequence, Supplier<List<Entity>> wanted, Predicate<Entity> isThere, Call call) {
        return parts.callerThread()
                .change(() -> new RetryLoop(parts.options(), what, sequence, call, null)
                        .carryOut(new PutMissing(parts.store(), wanted.get(), isThere, call)))
                .thenAccept(done -> {});
    }
}
