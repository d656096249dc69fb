package io.counterkit.datastore;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.spi.Base;
import io.counterkit.spi.Call;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What this store does for a migration: as the end that counters and sequences are moved from, and no more. */
final class DatastoreMigration implements MigrationStore {
    private final Parts parts;

    DatastoreMigration(Parts parts) {
        this.parts = parts;
    }

    /** A seal was put at a time by the clock of the process that sealed: the store itself tells none. */
    @Override
    public CompletableFuture<List<NameState>> states(Origin.Kind kind, List<String> names, Call call) {
        List<ChainName> chains =
                names.stream().map(name -> new ChainName(kind, name)).toList();
        return parts.onCaller().read(names.toString(), call, () -> states(chains, call));
    }

    private List<NameState> states(List<ChainName> chains, Call call) {
        Map<ChainName, TailFinder.Ending> endings = parts.finder().find(chains, call);
        List<Key> seals = new ArrayList<>();
        for (ChainName chain : chains) {
            Found end = Objects.requireNonNull(endings.get(chain)).orThrow();
            if (end.seal() != null) {
                seals.add(sealKey(chain, end));
            }
        }
        Map<Key, Entity> read = parts.finder().read(seals, call);
        return chains.stream()
                .map(chain -> {
                    Found end = Objects.requireNonNull(endings.get(chain)).orThrow();
                    return state(chain, end, read.get(sealKey(chain, end)));
                })
                .toList();
    }

    private Key sealKey(ChainName chain, Found end) {
        return parts.schema().entryKey(chain, end.number() + 1);
    }

    /** A seal stays and so does what is before it, so that it does not matter that they were read one after another. */
    private static NameState state(ChainName chain, Found end, @Nullable Entity sealed) {
        boolean isPresent =
                chain.kind() == Origin.Kind.COUNTER ? !new CounterEnd(end.newest()).isAbsent() : end.newest() != null;
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
        return parts.onCaller().read(sequence, call, () -> {
            Entity stored = parts.store().get(null, List.of(key), call).get(key);
            return stored == null ? Optional.empty() : Optional.of(DatastoreSchema.isLive(stored));
        });
    }

    @Override
    public CompletableFuture<Base> importBase(Origin.Kind kind, String name, Base base, Call call) {
        return refused();
    }

    @Override
    public CompletableFuture<List<Optional<Base>>> bases(Origin.Kind kind, List<String> names, Call call) {
        return refused();
    }

    @Override
    public CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call) {
        return refused();
    }

    @Override
    public CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call) {
        return refused();
    }

    private static <T> CompletableFuture<T> refused() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "nothing can be imported to the Datastore: it is a store to move away from"));
    }
}
