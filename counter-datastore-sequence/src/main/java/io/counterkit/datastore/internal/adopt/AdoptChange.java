package io.counterkit.datastore.internal.adopt;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.NotAppliedException;
import io.counterkit.SealedException;
import io.counterkit.datastore.internal.chain.ChainChange;
import io.counterkit.datastore.internal.client.WritePlan;
import io.counterkit.datastore.internal.schema.ChainEntry;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.ChainTail;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Appends those of a run of adopted records that are not in the sequence yet, under their own numbers. */
final class AdoptChange implements ChainChange<Boolean> {
    private final DatastoreKeys keys;
    private final ChainName sequence;
    private final List<Entity> records;

    AdoptChange(DatastoreKeys keys, ChainName sequence, List<Entity> records) {
        this.keys = keys;
        this.sequence = sequence;
        this.records = records;
    }

    @Override
    public int maxEntries() {
        return records.size();
    }

    @Override
    public List<Key> tokens() {
        return List.of();
    }

    @Override
    public WritePlan<Boolean> plan(ChainTail tail, Map<Key, Entity> found) {
        if (tail.seal() != null) {
            throw new SealedException(sequence.name(), tail.seal());
        }
        List<Entity> missing = new ArrayList<>();
        for (Entity record : records) {
            ChainEntry entry = ChainEntry.read(keys, sequence, record);
            if (entry.number() == tail.number() && !Objects.equals(entry.token(), tail.token())) {
                throw new NotAppliedException("entry " + entry.number() + " of " + sequence
                        + " is not the record of that number: adopt into a sequence of another name");
            }
            if (entry.number() > tail.number()) {
                if (entry.number() != tail.number() + missing.size() + 1) {
                    throw new NotAppliedException("record " + entry.number() + " cannot follow entry "
                            + (tail.number() + missing.size()) + " of " + sequence + ": adopt again");
                }
                missing.add(record);
            }
        }
        List<Entity> puts =
                missing.isEmpty() || tail.number() > 0 ? List.of() : List.of(new Entity(keys.name(sequence)));
        return new WritePlan<>(missing, puts, List.of(), () -> true);
    }
}
