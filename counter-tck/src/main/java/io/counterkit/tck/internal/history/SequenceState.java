package io.counterkit.tck.internal.history;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The state of a sequence. */
record SequenceState(List<Item> items, Set<Long> erased, TokenFates tokens, boolean isSealed)
        implements ObjectState<SequenceState> {
    static final SequenceState EMPTY = new SequenceState(List.of(), Set.of(), TokenFates.NONE, false);

    /** The only field of an entry. */
    static final String FIELD = "value";

    /** An entry; its number is its place in the list. */
    record Item(Change change, @Nullable String subject, String value, long liveCount) {}

    long last() {
        return items.size();
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

    /** Returns the sequence with one more entry. */
    SequenceState appended(Change change, @Nullable String subject, String value, @Nullable IdempotencyToken token) {
        List<Item> more = new ArrayList<>(items);
        more.add(new Item(change, subject, value, liveCount() + change.delta()));
        return new SequenceState(more, erased, tokens.applied(token, more.size()), isSealed);
    }

    /** Returns the sequence with the fields of an entry erased. */
    SequenceState erased(long number, @Nullable IdempotencyToken token) {
        Set<Long> more = new HashSet<>(erased);
        more.add(number);
        return new SequenceState(items, more, tokens.applied(token, 0), isSealed);
    }

    /** Returns the sequence after it was sealed. */
    SequenceState sealed(@Nullable IdempotencyToken token) {
        return new SequenceState(items, erased, tokens.applied(token, 0), true);
    }

    /** Returns whether these are all entries. Some of them may have been erased since, or not have been yet. */
    boolean holdsAll(List<Entry> entries) {
        return entries.size() == items.size() && entries.stream().allMatch(this::holds);
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
     * Returns whether the sequence holds this entry. Its fields may have been erased since, and they may be missing if they
     * were erased before the call that returned the entry answered.
     */
    boolean holds(Entry entry) {
        if (entry.number() < 1 || entry.number() > last()) {
            return false;
        }
        Item item = items.get((int) entry.number() - 1);
        return item.change() == entry.change()
                && Objects.equals(item.subject(), entry.subject())
                && item.liveCount() == entry.liveCount()
                && entry.fields().equals(entry.erased() ? Map.of() : Map.of(FIELD, item.value()));
    }

    @Override
    public SequenceState withTokens(TokenFates newTokens) {
        return new SequenceState(items, erased, newTokens, isSealed);
    }
}
