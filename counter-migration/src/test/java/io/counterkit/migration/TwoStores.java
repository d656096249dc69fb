package io.counterkit.migration;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** A source and a target in memory, with content in the source. */
public final class TwoStores {
    public final InMemoryStore source = InMemoryStore.create();
    public final InMemoryStore target = InMemoryStore.create();
    public final String prefix = UUID.randomUUID() + "/";
    public final Rollout rollout = Rollout.at(100);
    private final List<String> counters = new ArrayList<>();
    private final List<String> sequences = new ArrayList<>();

    /** Connects another process of the migration. */
    public MigratingBackend connect() {
        return connect(Connection.direct());
    }

    /** Connects another process of the migration over this connection. */
    MigratingBackend connect(Connection connection) {
        return MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), connection),
                new ConnectedBackend("target", InMemoryBackend.over(target), connection),
                MigrationOptions.builder("old", "new").rollout(rollout).build());
    }

    public Counters counters() {
        return Counters.over(connect());
    }

    /** Returns counters over the source alone, as before the migration. */
    public Counters old() {
        return Counters.over(InMemoryBackend.over(source));
    }

    /** Returns counters over the target alone. */
    public Counters atTarget() {
        return Counters.over(InMemoryBackend.over(target));
    }

    /** Adds counters with the totals 0, 1, 2, … and returns all names. */
    public List<String> addCounters(int count) {
        Counters before = old();
        for (int i = 0; i < count; i++) {
            counters.add(prefix + "c" + counters.size());
            before.counter(counters.get(counters.size() - 1)).add(i);
        }
        return counters;
    }

    /** Adds a sequence with entries that add, update and remove subjects, one of them erased, and returns its name. */
    public String addSequence(int entries) {
        String name = prefix + "s" + sequences.size();
        sequences.add(name);
        Sequence sequence = old().sequence(name);
        IntStream.rangeClosed(1, entries).forEach(i -> {
            Map<String, Object> fields =
                    Map.of("text", "entry " + i, "number", (long) i, "bytes", new byte[] {(byte) i});
            if (i % 7 == 3) {
                sequence.append(Change.ADDED, "subject " + i, fields);
            } else if (i % 7 == 4) {
                sequence.append(Change.UPDATED, "subject " + (i - 1), fields);
            } else if (i % 14 == 5) {
                sequence.append(Change.REMOVED, "subject " + (i - 2), fields);
            } else {
                sequence.append(fields);
            }
        });
        if (entries >= 2) {
            sequence.erase(2);
        }
        return name;
    }

    /** Returns every entry of a sequence. */
    static List<Entry> entries(Counters counters, String sequence) {
        List<Entry> all = new ArrayList<>();
        long last = counters.sequence(sequence).last();
        for (long from = 1; from <= last; from += 1000) {
            all.addAll(counters.sequence(sequence).read(from, Math.min(last, from + 999)));
        }
        return all;
    }
}
