package io.counterkit.inmemory.internal.store;

import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Listening;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One sequence. The entries that are appended here have consecutive numbers, from 1 or from the number after the last
 * imported one. Also holds the imported entries that were copied.
 */
public final class Chain extends StoredName {
    private final List<Entry> entries = new ArrayList<>();
    private final TreeMap<Long, Entry> copies = new TreeMap<>();

    /** Whether each known subject is live. */
    private final Map<String, Boolean> subjects = new HashMap<>();

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    private long liveCount;

    Chain(String name, NameTable<?> table) {
        super(name, table);
    }

    /** Appends an entry, or throws and uses up no number. */
    synchronized Entry append(AppendRequest request, Instant now) {
        checkOpen();
        if (request.subject() != null) {
            changeSubject(request, request.subject());
        }
        liveCount += request.change().delta();
        Entry entry =
                new Entry(last() + 1, now, request.change(), request.subject(), request.fields(), liveCount, false);
        entries.add(entry);
        if (entries.size() == 1) {
            updateListing();
        }
        listeners.forEach(Listener::report);
        return entry;
    }

    /** Reports each later entry, immediately and on the thread that appends it. */
    Listening listen(Runnable changed) {
        Listener listener = new Listener(changed);
        listeners.add(listener);
        return listener;
    }

    /** Not a record, since listeners are compared by identity. */
    private final class Listener implements Listening {
        private final Runnable changed;

        Listener(Runnable changed) {
            this.changed = changed;
        }

        void report() {
            changed.run();
        }

        @Override
        public boolean isLive() {
            return true;
        }

        @Override
        public void close() {
            listeners.remove(this);
        }
    }

    private void changeSubject(AppendRequest request, String subject) {
        ChangeRefusedException refusal = request.refusal(name, subjects.getOrDefault(subject, false));
        if (refusal != null) {
            throw refusal;
        }
        subjects.put(subject, request.leavesSubjectLive());
    }

    private long first() {
        ImportedState base = base();
        return base == null ? 1 : base.last() + 1;
    }

    private long last() {
        return first() - 1 + entries.size();
    }

    synchronized Tail tail() {
        return new Tail(last(), liveCount, seal());
    }

    synchronized List<Entry> read(NumberRange range) {
        List<Entry> found = new ArrayList<>(
                copies.subMap(range.from(), true, range.to(), true).values());
        int from = (int) Math.min(Math.max(range.from() - first(), 0), entries.size());
        int to = (int) Math.min(Math.max(range.to() - first() + 1, 0), entries.size());
        found.addAll(entries.subList(from, to));
        return List.copyOf(found);
    }

    synchronized boolean contains(long number) {
        return copies.containsKey(number) || (number >= first() && number <= last());
    }

    /** Erases the fields of an entry that exists. */
    synchronized void erase(long number) {
        if (number < first()) {
            copies.computeIfPresent(number, (same, entry) -> entry.withoutFields());
        } else {
            int index = (int) (number - first());
            entries.set(index, entries.get(index).withoutFields());
        }
    }

    @Override
    synchronized boolean isPresent() {
        return last() > 0;
    }

    @Override
    boolean isListed() {
        return isPresent() || seal() != null;
    }

    @Override
    Seal close(String forward) {
        return new Seal(forward, last(), liveCount);
    }

    @Override
    void startWith(ImportedState imported) {
        liveCount = imported.value();
        listeners.forEach(Listener::report);
    }

    /** Returns whether a subject is live; empty if it is unknown here. */
    public synchronized Optional<Boolean> subject(String subject) {
        return Optional.ofNullable(subjects.get(subject));
    }

    /** Sets whether a subject is live, unless it is known here already. */
    public synchronized void importSubject(String subject, boolean isLive) {
        subjects.putIfAbsent(subject, isLive);
    }

    /** Stores copies of imported entries. Does not change those that are stored already. */
    public synchronized void copyIn(List<Entry> imported) {
        for (Entry entry : imported) {
            if (entry.number() >= first()) {
                throw new NotAppliedException("copy of entry " + entry.number() + " to '" + name
                        + "': only entries up to " + (first() - 1) + " were imported; nothing was copied");
            }
        }
        imported.forEach(entry -> copies.putIfAbsent(entry.number(), entry));
    }
}
