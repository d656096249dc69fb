package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.Seal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a sequence. */
record SequenceState(
        List<Item> items,
        Set<Long> erased,
        TokenResolutions tokens,
        @Nullable Seal seal) implements ObjectState<SequenceState> {
    static final SequenceState EMPTY = new SequenceState(List.of(), Set.of(), TokenResolutions.NONE, null);

    /** The only field of an entry. */
    static final String FIELD = "value";

    /** An entry; its number is its place in the list. */
    record Item(Change change, @Nullable String subject, String value, long liveCount) {}

    long last() {
        return items.size();
    }

    boolean isAssigned(long number) {
        return 1 <= number && number <= last();
    }

    long liveCount() {
        return items.isEmpty() ? 0 : items.get(items.size() - 1).liveCount();
    }

    /** Returns whether a change fits its subject. */
    boolean fits(Change change, @Nullable String subject) {
        return subject == null || isLive(subject) == (change != Change.ADDED);
    }

    private boolean isLive(String subject) {
        for (int i = items.size() - 1; i >= 0; i--) {
            if (subject.equals(items.get(i).subject())) {
                return items.get(i).change() != Change.REMOVED;
            }
        }
        return false;
    }

    /** Returns the sequence with one more entry; null if it is sealed, or if the change does not fit its subject. */
    @Nullable SequenceState appended(Change change, @Nullable String subject, String value) {
        if (isSealed() || !fits(change, subject)) {
            return null;
        }
        List<Item> more = new ArrayList<>(items);
        more.add(new Item(change, subject, value, liveCount() + change.delta()));
        return new SequenceState(more, erased, tokens, null);
    }

    /** Returns the sequence with the fields of an entry erased; null if there is no entry with this number. */
    @Nullable SequenceState erased(long number) {
        if (!isAssigned(number)) {
            return null;
        }
        Set<Long> more = new HashSet<>(erased);
        more.add(number);
        return new SequenceState(items, more, tokens, seal);
    }

    @Override
    public @Nullable SequenceState sealed(String forward) {
        if (isSealed()) {
            return canSeal(forward) ? this : null;
        }
        return new SequenceState(items, erased, tokens, new Seal(forward, last(), liveCount()));
    }

    /** Returns whether an entry has this number, change and subject. */
    boolean hasItem(long number, Change change, @Nullable String subject) {
        if (!isAssigned(number)) {
            return false;
        }
        Item item = items.get((int) number - 1);
        return item.change() == change && Objects.equals(item.subject(), subject);
    }

    /**
     * Returns whether these are the entries with numbers {@code from} to {@code to}, in their order. Some of them may
     * have been erased since, or not have been yet.
     */
    boolean holds(long from, long to, List<Entry> entries) {
        if (entries.size() != Math.max(0, Math.min(to, last()) - from + 1)) {
            return false;
        }
        long number = from;
        for (Entry entry : entries) {
            if (entry.number() != number++ || !holds(entry)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether all those of the entries that are shown as erased are erased. */
    boolean hasErased(List<Entry> entries) {
        return entries.stream().allMatch(entry -> !entry.erased() || erased.contains(entry.number()));
    }

    /** Returns whether none of the entries that are shown with their fields is erased. */
    boolean hasKept(List<Entry> entries) {
        return entries.stream().allMatch(entry -> entry.erased() || !erased.contains(entry.number()));
    }

    /**
     * Returns whether the sequence holds this entry. Its fields may have been erased since, and they may be missing if
     * they were erased before the call that returned the entry answered.
     */
    boolean holds(Entry entry) {
        if (!hasItem(entry.number(), entry.change(), entry.subject())) {
            return false;
        }
        Item item = items.get((int) entry.number() - 1);
        return item.liveCount() == entry.liveCount()
                && entry.fields().equals(entry.erased() ? Map.of() : Map.of(FIELD, item.value()));
    }

    @Override
    public boolean isListed() {
        return !items.isEmpty() || isSealed();
    }

    @Override
    public SequenceState withTokens(TokenResolutions newTokens) {
        return new SequenceState(items, erased, newTokens, seal);
    }
}
