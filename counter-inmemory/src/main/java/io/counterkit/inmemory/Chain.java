package io.counterkit.inmemory;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The entries of one sequence: entry n is at index n − 1. Each method is one atomic step. */
final class Chain {
    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private final Set<String> liveSubjects = new HashSet<>();
    private long liveCount;
    private @Nullable Seal seal;

    Chain(String name) {
        this.name = name;
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
        Entry entry = new Entry(
                entries.size() + 1L, now, request.change(), request.subject(), request.fields(), liveCount, false);
        entries.add(entry);
        return copy(entry);
    }

    private void change(String subject, Change change) {
        boolean live = liveSubjects.contains(subject);
        if (live == (change == Change.ADDED)) {
            throw new ChangeRefusedException(change + " of '" + subject + "' in '" + name + "', which is "
                    + (live ? "live already" : "not live"));
        }
        if (change == Change.ADDED) {
            liveSubjects.add(subject);
        } else if (change == Change.REMOVED) {
            liveSubjects.remove(subject);
        }
    }

    synchronized Tail tail() {
        return new Tail(entries.size(), liveCount, seal);
    }

    synchronized List<Entry> read(NumberRange range) {
        int from = (int) Math.min(range.from() - 1, entries.size());
        int to = (int) Math.min(range.to(), entries.size());
        return entries.subList(from, to).stream().map(Chain::copy).toList();
    }

    /** Blanks the fields of an entry that exists. */
    synchronized void erase(long number) {
        entries.set((int) number - 1, entries.get((int) number - 1).withoutFields());
    }

    /** Seals the sequence, or returns the seal that it has, if that leads to the same place. */
    synchronized Seal seal(String forward) {
        if (seal == null) {
            seal = new Seal(forward, entries.size(), liveCount);
        } else if (!seal.forward().equals(forward)) {
            throw new SealedException(name, seal);
        }
        return seal;
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
