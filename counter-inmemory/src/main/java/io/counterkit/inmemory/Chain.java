package io.counterkit.inmemory;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one sequence. Those appended here are in a row from the number after the base's last, which is 0
 * without a base; of those before, the ones that were copied. Each method is one atomic step.
 */
final class Chain {
    private final String name;
    private final NameIndex names;
    private final List<Entry> entries = new ArrayList<>();
    private final TreeMap<Long, Entry> copies = new TreeMap<>();

    /** Whether each subject that is known here is live. */
    private final Map<String, Boolean> subjects = new HashMap<>();

    private long liveCount;
    private @Nullable ImportedState base;
    private @Nullable Seal seal;
    private @Nullable Instant sealedAt;

    /**
     * @param names where the name is noted once it is present
     */
    Chain(String name, NameIndex names) {
        this.name = name;
        this.names = names;
    }

    String name() {
        return name;
    }

    /** Appends an entry, or throws and uses up no number. */
    synchronized Entry append(AppendRequest request, Instant now) {
        if (seal != null) {
            throw new SealedException(name, seal);
        }
        if (request.subject() != null) {
            change(request.subject(), request.change());
        }
        liveCount += request.change().delta();
        Entry entry =
                new Entry(last() + 1, now, request.change(), request.subject(), request.fields(), liveCount, false);
        if (entries.isEmpty()) {
            names.add(name);
        }
        entries.add(entry);
        return copy(entry);
    }

    private void change(String subject, Change change) {
        boolean live = subjects.getOrDefault(subject, false);
        if (live == (change == Change.ADDED)) {
            throw new ChangeRefusedException("'" + subject + "' in '" + name + "' cannot be "
                    + change.name().toLowerCase(Locale.ROOT) + ": it is " + (live ? "live already" : "not live"));
        }
        subjects.put(subject, change != Change.REMOVED);
    }

    private long first() {
        return base == null ? 1 : base.last() + 1;
    }

    private long last() {
        return first() - 1 + entries.size();
    }

    synchronized Tail tail() {
        return new Tail(last(), liveCount, seal);
    }

    /** Notes the name if it is present. */
    synchronized void addName() {
        if (!tail().equals(Tail.EMPTY)) {
            names.add(name);
        }
    }

    synchronized List<Entry> read(NumberRange range) {
        List<Entry> read = new ArrayList<>(
                copies.subMap(range.from(), true, range.to(), true).values());
        int from = (int) Math.min(Math.max(range.from() - first(), 0), entries.size());
        int to = (int) Math.min(Math.max(range.to() - first() + 1, 0), entries.size());
        read.addAll(entries.subList(from, to));
        return read.stream().map(Chain::copy).toList();
    }

    synchronized boolean holds(long number) {
        return copies.containsKey(number) || (number >= first() && number <= last());
    }

    /** Blanks the fields of an entry that exists. */
    synchronized void erase(long number) {
        if (number < first()) {
            copies.computeIfPresent(number, (same, entry) -> entry.withoutFields());
        } else {
            int index = (int) (number - first());
            entries.set(index, entries.get(index).withoutFields());
        }
    }

    /** Seals the sequence, or returns the seal that it has, if that leads to the same place. */
    synchronized Seal seal(String forward, Instant now) {
        if (seal == null) {
            seal = new Seal(forward, last(), liveCount);
            sealedAt = now;
            names.add(name);
        } else if (!seal.forward().equals(forward)) {
            throw new SealedException(name, seal);
        }
        return seal;
    }

    synchronized NameState state() {
        return new NameState(last() > 0, seal, sealedAt);
    }

    /** Whether a subject is live; empty if nothing is known of it. */
    synchronized Optional<Boolean> subject(String subject) {
        return Optional.ofNullable(subjects.get(subject));
    }

    /** Lets a sequence without entries begin with {@code begun}, or returns the base that it began with. */
    synchronized ImportedState importBase(ImportedState begun) {
        if (base != null) {
            return base;
        }
        if (last() > 0 || seal != null) {
            throw new NotAppliedException("import of '" + name + "' from '" + begun.origin()
                    + "': the sequence is in use here and was not imported");
        }
        base = begun;
        liveCount = begun.value();
        addName();
        return begun;
    }

    synchronized @Nullable ImportedState base() {
        return base;
    }

    synchronized void importSubject(String subject, boolean isLive) {
        subjects.putIfAbsent(subject, isLive);
    }

    /** Takes in entries from before the base; those that are here already stay as they are. */
    synchronized void copyIn(List<Entry> earlier) {
        for (Entry entry : earlier) {
            if (entry.number() >= first()) {
                throw new NotAppliedException("copy of entry " + entry.number() + " to '" + name
                        + "', which was imported up to " + (first() - 1));
            }
        }
        earlier.forEach(entry -> copies.putIfAbsent(entry.number(), copy(entry)));
    }

    /** What a reader may change without changing the entry: the bytes in its fields. */
    private static Entry copy(Entry entry) {
        return new Entry(
                entry.number(),
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                entry.liveCount(),
                entry.erased());
    }
}
