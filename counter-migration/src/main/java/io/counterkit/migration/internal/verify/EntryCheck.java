package io.counterkit.migration.internal.verify;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.ImportedState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the entries of one sequence, range by range, ascending. */
final class EntryCheck {
    /** Of a sequence that is wrong in every entry, so many are named. */
    private static final int MOST_NAMED = 20;

    private final ImportedState base;
    private final Tail tail;
    private final boolean areCopied;
    private final Consumer<String> differ;
    private final LongConsumer compared;
    private int named;
    private @Nullable Entry before;

    /**
     * @param tail the end of the sequence at the target, read before its entries
     * @param areCopied whether a missing copy is a difference
     */
    EntryCheck(ImportedState base, Tail tail, boolean areCopied, Consumer<String> differ, LongConsumer compared) {
        this.base = base;
        this.tail = tail;
        this.areCopied = areCopied;
        this.differ = differ;
        this.compared = compared;
    }

    /** Compares the entries of a range, as they are in the source and in the target; always returns true. */
    boolean compare(NumberRange range, List<Entry> inSource, List<Entry> inTarget) {
        Map<Long, Entry> source = byNumber(inSource);
        Map<Long, Entry> target = byNumber(inTarget);
        long seen = 0;
        for (long number = range.from(); number <= range.to(); number++) {
            Entry copy = target.get(number);
            if (number <= base.last()) {
                compareCopy(number, source.get(number), copy);
                seen += copy == null ? 0 : 1;
            } else {
                compareNew(number, copy);
                seen++;
            }
        }
        compared.accept(seen);
        return true;
    }

    private void compareCopy(long number, @Nullable Entry original, @Nullable Entry copy) {
        if (original == null) {
            tell("entry " + number + " is missing in the source");
        }
        if (copy == null && areCopied) {
            tell("entry " + number + " was not copied");
        }
        if (original != null && copy != null && !copy.equals(original)) {
            tell("entry " + number + " differs in " + String.join(", ", parts(original, copy)));
        }
    }

    private void compareNew(long number, @Nullable Entry entry) {
        if (entry == null) {
            tell("entry " + number + " is missing in the target");
            before = null;
            return;
        }
        Long countBefore = number == base.last() + 1
                ? Long.valueOf(base.value())
                : before != null && before.number() == number - 1 ? Long.valueOf(before.liveCount()) : null;
        if (countBefore != null && entry.liveCount() != countBefore + effect(entry.change())) {
            tell("entry " + number + " (" + entry.change() + ") has live count " + entry.liveCount() + " after "
                    + countBefore);
        }
        if (number == tail.last() && entry.liveCount() != tail.liveCount()) {
            tell("the last entry has live count " + entry.liveCount() + ", and the sequence " + tail.liveCount());
        }
        before = entry;
    }

    private void tell(String what) {
        named++;
        if (named < MOST_NAMED) {
            differ.accept(what);
        } else if (named == MOST_NAMED) {
            differ.accept(what + "; more entries of this sequence may differ");
        }
    }

    private static int effect(Change change) {
        return switch (change) {
            case ADDED -> 1;
            case UPDATED -> 0;
            case REMOVED -> -1;
        };
    }

    private static List<String> parts(Entry original, Entry copy) {
        Map<String, Boolean> equal = new HashMap<>();
        equal.put("the time", original.appendedAt().equals(copy.appendedAt()));
        equal.put("the change", original.change() == copy.change());
        equal.put("the subject", java.util.Objects.equals(original.subject(), copy.subject()));
        equal.put("the live count", original.liveCount() == copy.liveCount());
        equal.put("being erased", original.erased() == copy.erased());
        List<String> parts = equal.entrySet().stream()
                .filter(part -> !part.getValue())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        return parts.isEmpty() ? List.of("the fields") : parts;
    }

    private static Map<Long, Entry> byNumber(List<Entry> entries) {
        return entries.stream().collect(Collectors.toMap(Entry::number, entry -> entry, (some, other) -> other));
    }
}
