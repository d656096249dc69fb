package io.counterkit;

import java.util.List;
import java.util.Map;

/**
 * Gapless numbers with a name: each append gets the next of 1, 2, 3, …, never twice, never skipping one, and in real
 * time: an append that starts after another has returned gets the higher number. Each number is an {@link Entry} that
 * can be read for ever.
 *
 * <p>A sequence needs no creation. Blocking, deadlines, interrupts, close and threads are as for {@link Counter}.
 */
public interface Sequence {
    /** The sequence's name. */
    String name();

    /** Appends an entry without fields and returns its number; as {@link #append(Map)}. */
    default long next() {
        return append(Map.of()).number();
    }

    /**
     * Appends an entry under the next number.
     *
     * @param fields at most 100 and 32 KiB together; values are String, Long, Double, Boolean, Instant in whole
     *     milliseconds, or byte[]; copied
     * @throws IllegalArgumentException if a field is none of these; nothing was applied
     * @throws NotAppliedException if nothing was appended ({@link ContentionException}, {@link QueueFullException},
     *     {@link SealedException} say why); no number was used up
     * @throws OutcomeUnknownException if it may have been appended; append again with its token to get the entry
     */
    Entry append(Map<String, ?> fields);

    /**
     * Appends an entry unless one was appended with this token already, from whatever process: then returns that one.
     * Otherwise as {@link #append(Map)}. The fields of the two are not compared: the first entry wins.
     *
     * @throws TokenRefusedException if the token stands for another sequence, change, subject or operation, or was
     *     resolved as not applied; nothing was appended by this call
     */
    Entry append(Map<String, ?> fields, IdempotencyToken token);

    /**
     * Appends a revision of {@code subject}: adds it, updates it or removes it. Otherwise as {@link #append(Map)}.
     *
     * @param subject named like a counter; do not put personal data into it, it cannot be erased
     * @throws ChangeRefusedException if the subject is added and is live, or is updated or removed and is not; no
     *     number was used up
     */
    Entry append(Change change, String subject, Map<String, ?> fields);

    /** Appends a revision unless this token was applied already; see the two methods above. */
    Entry append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token);

    /** The highest number given out, strong; 0 when none was. */
    default long last() {
        return tail().last();
    }

    /** How many entries were added and not removed, strong. */
    default long liveCount() {
        return tail().liveCount();
    }

    /**
     * The last number, the live count and the seal if there is one, at one moment, strong.
     *
     * @throws CorruptDataException if the store holds something that is no sequence
     * @throws NotAppliedException if the store could not be read in time
     */
    Tail tail();

    /**
     * The entries with the numbers {@code from} to {@code to}, ascending, strong. Numbers that were not given out yet
     * are left out; there are no other holes.
     *
     * @throws IllegalArgumentException if from is less than 1, to is less than from, or there are more than 1,000
     *     numbers: read in pages
     * @throws CounterException as {@link #tail()}
     */
    List<Entry> read(long from, long to);

    /**
     * Cuts 1 to {@link #last()} into at most {@code parts} ranges of sizes that differ by one at most, for parallel
     * work; none for an empty sequence. Entries appended later are in none of them.
     *
     * @throws IllegalArgumentException if {@code parts} is less than 1
     */
    default List<NumberRange> partition(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("cannot cut into " + parts + " parts: ask for 1 or more");
        }
        long last = last();
        return last == 0 ? List.of() : new NumberRange(1, last).partition(parts);
    }

    /**
     * Blanks the fields of an entry for good, as personal data may call for; the number, the change, the subject and
     * the live count stay. Erasing again does nothing more. Works on sealed sequences.
     *
     * @throws IllegalArgumentException if there is no entry with this number
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if it may have been; erase again
     */
    void erase(long number);

    /**
     * Ends this sequence for good: it can still be read and erased in, and every later append gets a
     * {@link SealedException}. The seal uses up no number. Sealing again with the same address returns the same seal.
     *
     * @param forward where the sequence lives on; not empty
     * @throws SealedException if it was sealed with another address
     * @throws UnsupportedOperationException if the backend cannot seal sequences
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if it may have been; seal again to find out
     */
    Seal seal(String forward);

    /** The same sequence without blocking. */
    AsyncSequence async();
}
