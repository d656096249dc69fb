package io.counterkit.migration.internal.verify;

import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.ImportedState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares the entries of one sequence, range by range, ascending. */
final class EntryCheck {
    private static final int MOST_REPORTED = 20;

    private final ImportedState base;
    private final Tail tail;
    private final boolean areCopied;
    private final Consumer<String> differences;
    private final LongConsumer compared;
    private int reported;
    private @Nullable Entry previous;

    /**
     * @param tail the tail of the sequence at the target, read before its entries
     * @param areCopied whether a missing copy is a difference
     * @param compared receives how many entries were compared
     */
    EntryCheck(ImportedState base, Tail tail, boolean areCopied, Consumer<String> differences, LongConsumer compared) {
        this.base = base;
        this.tail = tail;
        this.areCopied = areCopied;
        this.differences = differences;
        this.compared = compared;
    }

    /** Returns whether any copy differs from its original. */
    static boolean isAnyDifferent(List<Entry> originals, List<Entry> copies) {
        Map<Long, Entry> byNumber = byNumber(copies);
        return originals.stream()
                .anyMatch(original -> !original.equals(byNumber.getOrDefault(original.number(), original)));
    }

    /** Continues after the last of these entries, which an earlier step has compared. */
    void startAfter(List<Entry> earlier) {
        earlier.forEach(entry -> previous = entry);
    }

    /** Compares the entries of a range at the source and at the target. */
    void compare(NumberRange range, List<Entry> sourceEntries, List<Entry> targetEntries) {
        Map<Long, Entry> source = byNumber(sourceEntries);
        Map<Long, Entry> target = byNumber(targetEntries);
        long count = 0;
        for (long number = range.from(); number <= range.to(); number++) {
            Entry entry = target.get(number);
            if (number <= base.last()) {
                compareCopy(number, source.get(number), entry);
                count += entry == null ? 0 : 1;
            } else {
                compareNew(number, entry);
                count++;
            }
        }
        compared.accept(count);
    }

    private void compareCopy(long number, @Nullable Entry original, @Nullable Entry copy) {
        if (original == null) {
            report("entry " + number + " is missing in the source");
        }
        if (copy == null && areCopied) {
            report("entry " + number + " was not copied");
        }
        if (original != null && copy != null && !copy.equals(original)) {
            report("entry " + number + " differs in " + String.join(", ", differingParts(original, copy)));
        }
    }

    /** Reports a subject from before the move that the target does not know. */
    void compareSubject(String subject, boolean isKnown) {
        if (!isKnown) {
            report("subject '" + subject + "' was not copied");
        }
    }

    private void compareNew(long number, @Nullable Entry entry) {
        if (entry == null) {
            report("entry " + number + " is missing in the target");
            previous = null;
            return;
        }
        Long countBefore = number == base.last() + 1
                ? Long.valueOf(base.value())
                : previous != null && previous.number() == number - 1 ? Long.valueOf(previous.liveCount()) : null;
        if (countBefore != null
                && entry.liveCount() != countBefore + entry.change().delta()) {
            report("entry " + number + " (" + entry.change() + ") has live count " + entry.liveCount() + " after "
                    + countBefore);
        }
        if (number == tail.last() && entry.liveCount() != tail.liveCount()) {
            report("the last entry has live count " + entry.liveCount() + ", and the sequence " + tail.liveCount());
        }
        previous = entry;
    }

    private void report(String difference) {
        reported++;
        if (reported < MOST_REPORTED) {
            differences.accept(difference);
        } else if (reported == MOST_REPORTED) {
            differences.accept(difference + "; more entries of this sequence may differ");
        }
    }

    private static List<String> differingParts(Entry original, Entry copy) {
        Map<String, Boolean> areEqual = new TreeMap<>();
        areEqual.put("the time", original.appendedAt().equals(copy.appendedAt()));
        areEqual.put("the change", original.change() == copy.change());
        areEqual.put("the subject", Objects.equals(original.subject(), copy.subject()));
        areEqual.put("the live count", original.liveCount() == copy.liveCount());
        areEqual.put("being erased", original.erased() == copy.erased());
        areEqual.values().removeIf(isEqual -> isEqual);
        return areEqual.isEmpty() ? List.of("the fields") : List.copyOf(areEqual.keySet());
    }

    private static Map<Long, Entry> byNumber(List<Entry> entries) {
        return entries.stream().collect(Collectors.toMap(Entry::number, entry -> entry, (some, other) -> other));
    }
}
