package io.counterkit.datastore.internal.operation;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.chain.DatastoreContext;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.ImportFormat;
import io.counterkit.datastore.internal.schema.SubjectFormat;
import io.counterkit.datastore.internal.store.RetryLoop;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.datastore.internal.store.StoreTransaction;
import io.counterkit.datastore.internal.store.WritePlan;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A Datastore as the source or the target of a migration. */
public record DatastoreMigration(DatastoreContext context) implements MigrationStore {
    private static final int MOST_COPIES = 100;

    /** An import is idempotent, so no token covers it. */
    private static final RetryLoop.UnknownOutcome SEND_AGAIN =
            (message, cause) -> new IllegalStateException(message + "; send it again", cause);

    /** The time of a seal is from the clock of the process that sealed, since the store has no clock. */
    @Override
    public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
        List<ChainName> chains =
                names.stream().map(name -> new ChainName(kind, name)).toList();
        return context.read(names, call, () -> {
            Map<ChainName, Result<ChainTail>> tails = context.finder().find(chains, call);
            return chains.stream()
                    .map(chain -> state(Objects.requireNonNull(tails.get(chain)).orThrow()))
                    .toList();
        });
    }

    private static NameState state(ChainTail tail) {
        Instant sealedAt = tail.sealEntry() == null ? null : tail.sealEntry().at();
        return new NameState(!tail.isAbsent(), tail.seal(), sealedAt);
    }

    @Override
    public CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call) {
        StoreKey key = context.keys().subject(sequence, subject);
        return context.read(
                List.of(sequence),
                call,
                () -> Optional.ofNullable(context.client().find(null, key, call))
                        .map(SubjectFormat::isLive));
    }

    @Override
    public CompletableFuture<ImportedState> importBase(
            ChangeTarget.Kind kind, String name, ImportedState state, Call call) {
        ChainName chain = new ChainName(kind, name);
        StoreKey marker = context.keys().imported(chain);
        return context.run(() -> {
            ChainChange<ImportedState> change =
                    ChainChange.of(chain, 1, List.of(marker), (tail, found) -> planImport(chain, state, tail, found));
            return context.write("importing", change, call, SEND_AGAIN);
        });
    }

    /**
     * Gives an absent name its imported state, once. A concurrent first add or append creates the same number as the
     * import, so either it is applied after the import, or the import finds the name in use.
     */
    private WritePlan<ImportedState> planImport(
            ChainName chain, ImportedState state, ChainTail tail, Map<StoreKey, StoreEntity> found) {
        StoreEntity marker = found.get(context.keys().imported(chain));
        if (marker != null) {
            return WritePlan.nothing(ImportFormat.read(marker));
        }
        if (!tail.isAbsent() || tail.seal() != null) {
            throw new NotAppliedException("import of " + chain + " from '" + state.origin()
                    + "': it is in use here and was not imported; import to another store or namespace");
        }
        List<StoreEntity> run = new ArrayList<>();
        List<StoreEntity> puts = new ArrayList<>(List.of(ImportFormat.marker(context.keys(), chain, state)));
        if (chain.isCounter() ? state.isPresent() : state.last() > 0) {
            puts.add(new StoreEntity(context.keys().name(chain)));
            if (chain.isCounter()) {
                run.add(ChainEntry.ofCounter(
                        context.keys(),
                        chain,
                        ChainEntry.CounterChange.IMPORT,
                        state.value(),
                        tail.plusSetTo(state.value()),
                        context.now(),
                        null));
            } else {
                puts.addAll(ImportFormat.places(context.keys(), chain, state));
            }
        }
        return new WritePlan<>(run, puts, List.of(), () -> state);
    }

    @Override
    public CompletableFuture<List<Optional<ImportedState>>> bases(
            ChangeTarget.Kind kind, List<String> names, Call call) {
        List<StoreKey> markers = names.stream()
                .map(name -> context.keys().imported(new ChainName(kind, name)))
                .toList();
        return context.read(names, call, () -> {
            Map<StoreKey, StoreEntity> found = context.client().getAll(markers, call);
            return markers.stream()
                    .map(marker -> Optional.ofNullable(found.get(marker)).map(ImportFormat::read))
                    .toList();
        });
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return putMissing(
                "importing subject '" + subject + "' of '" + sequence + "'",
                sequence,
                () -> List.of(SubjectFormat.entity(context.keys(), sequence, subject, isLive)),
                stored -> true,
                call);
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return putMissing(
                "copying entries of '" + sequence + "'",
                sequence,
                () -> missing(sequence, entries, call),
                ImportFormat::isEntry,
                call);
    }

    /** Returns the entries to copy that are not stored yet. */
    private List<StoreEntity> missing(String name, List<Entry> entries, Call call) {
        if (entries.size() > MOST_COPIES) {
            throw new IllegalArgumentException(entries.size() + " entries: copy at most " + MOST_COPIES + " at once");
        }
        ChainName sequence = ChainName.sequence(name);
        StoreKey marker = context.keys().imported(sequence);
        List<StoreKey> keys = new ArrayList<>(List.of(marker));
        entries.forEach(entry -> keys.add(context.keys().entry(sequence, entry.number())));
        Map<StoreKey, StoreEntity> found =
                context.readLoop(List.of(name), call).run(() -> context.client().get(null, keys, call));
        StoreEntity imported = found.get(marker);
        ImportedState state = imported == null ? null : ImportFormat.read(imported);
        Map<StoreKey, StoreEntity> missing = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (state == null || entry.number() > state.last()) {
                throw new NotAppliedException("copying entry " + entry.number() + " to '" + name + "': "
                        + (state == null
                                ? "the sequence was not imported"
                                : "only entries up to " + state.last() + " were imported")
                        + "; nothing was copied");
            }
            StoreKey key = context.keys().entry(sequence, entry.number());
            StoreEntity stored = found.get(key);
            if (stored == null || !ImportFormat.isEntry(stored)) {
                missing.putIfAbsent(key, ImportFormat.copy(context.keys(), sequence, entry, state));
            }
        }
        return List.copyOf(missing.values());
    }

    /**
     * Puts the missing entities, in several transactions if necessary. Each transaction reads the existing ones first.
     *
     * @param isThere returns whether a stored entity is the wanted one, and not a place for it
     */
    private CompletableFuture<Void> putMissing(
            String what,
            String sequence,
            Supplier<List<StoreEntity>> wanted,
            Predicate<StoreEntity> isThere,
            Call call) {
        return context.run(() -> {
                    List<StoreEntity> all = wanted.get();
                    RetryLoop loop = context.loop(what, List.of(sequence), call, SEND_AGAIN);
                    for (List<StoreEntity> group : context.groups(all)) {
                        loop.runInTransaction(transaction -> planMissing(transaction, group, isThere, call));
                    }
                    return true;
                })
                .thenAccept(done -> {});
    }

    private WritePlan<Boolean> planMissing(
            StoreTransaction transaction, List<StoreEntity> wanted, Predicate<StoreEntity> isThere, Call call) {
        List<StoreKey> keys = wanted.stream().map(StoreEntity::key).toList();
        Map<StoreKey, StoreEntity> found = context.client().get(transaction, keys, call);
        List<StoreEntity> missing = wanted.stream()
                .filter(entity -> {
                    StoreEntity stored = found.get(entity.key());
                    return stored == null || !isThere.test(stored);
                })
                .toList();
        return WritePlan.puts(missing, true);
    }
}
