package io.counterkit;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A named sequence of gapless numbers. Each append gets the next of 1, 2, 3, …: no number is used twice or skipped, and
 * an append that starts after another has returned gets a higher number. Each number is an {@link Entry} that can be
 * read at any time.
 *
 * <p>A sequence needs no creation. Blocking, deadlines, interrupts, close and threads are as for {@link Counter}.
 */
public interface Sequence {
    /** Returns the sequence's name. */
    String name();

    /** Appends an entry without fields and returns its number; see {@link #append(Map)}. */
    default long next() {
        return append(Map.of()).number();
    }

    /**
     * Appends an entry with the next number.
     *
     * @param fields at most 100 fields of at most 32 KiB together; values are String, Long, Double, Boolean, byte[], or
     *     Instant in whole milliseconds of the years 1 to 9999. Copied
     * @throws IllegalArgumentException if a field is not valid; nothing was applied
     * @throws NotAppliedException if nothing was appended and no number was used. Subclasses give the reason: {@link
     *     ContentionException}, {@link QueueFullException}, {@link SealedException}
     * @throws OutcomeUnknownException if the entry may have been appended; append again with its token to get the entry
     */
    Entry append(Map<String, ?> fields);

    /**
     * Appends an entry unless an entry was appended with this token before, by any process. If there is such an entry,
     * returns it, even if its fields differ. Otherwise as {@link #append(Map)}.
     *
     * @throws TokenRefusedException if the token was used for another sequence, change, subject or operation, or was
     *     resolved as not applied; nothing was appended by this call
     * @throws IllegalArgumentException also if the token starts like one that CounterKit generates, but is not one
     */
    Entry append(Map<String, ?> fields, IdempotencyToken token);

    /**
     * Appends an entry that adds, updates or removes {@code subject}. Otherwise as {@link #append(Map)}.
     *
     * @param subject a valid name, as for a counter; must not contain personal data, since it cannot be erased
     * @throws ChangeRefusedException if an added subject is already live, or an updated or removed subject is not live;
     *     no number was used
     */
    Entry append(Change change, String subject, Map<String, ?> fields);

    /**
     * Appends an entry that adds, updates or removes {@code subject}, unless an entry was appended with this token
     * before. Otherwise as {@link #append(Change, String, Map)}. The token works as in {@link #append(Map,
     * IdempotencyToken)}.
     */
    Entry append(Change change, String subject, Map<String, ?> fields, IdempotencyToken token);

    /** Returns the highest number that was used, 0 if none was; see {@link #tail()}. */
    default long last() {
        return tail().last();
    }

    /** Returns how many entries were added and not removed; see {@link #tail()}. */
    default long liveCount() {
        return tail().liveCount();
    }

    /**
     * Returns the last number, the live count and the seal, all of the same moment. The read is strong.
     *
     * @throws CorruptDataException if the stored data is not a sequence
     * @throws NotAppliedException if the store could not be read in time
     */
    Tail tail();

    /**
     * Returns the entries with the numbers {@code from} to {@code to}, ascending. Omits numbers after the last one;
     * there are no other gaps. The read is strong: it returns what was appended or erased before the call. The result
     * may reflect only some of the appends and erasures during the call, since the entries are not read at one moment.
     *
     * @throws IllegalArgumentException if {@code from} is less than 1, {@code to} is less than {@code from}, or the
     *     range has more than 1,000 numbers
     * @throws CounterException as {@link #tail()}
     */
    List<Entry> read(long from, long to);

    /**
     * Returns at most {@code parts} ranges of the numbers 1 to {@link #last()}, of sizes that differ by at most one,
     * for parallel work; none for an empty sequence. Entries that are appended later are in none of them.
     * {@link RangeJob} processes ranges so that the work continues after a crash.
     *
     * @throws IllegalArgumentException if {@code parts} is less than 1
     */
    default List<NumberRange> partition(int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("partition into " + parts + " parts: use 1 or more");
        }
        long last = last();
        return last == 0 ? List.of() : new NumberRange(1, last).partition(parts);
    }

    /** Follows with {@link FollowOptions#defaults()}; see {@link #follow(long, FollowOptions, Consumer)}. */
    default Follower follow(long from, Consumer<? super Entry> consumer) {
        return follow(from, FollowOptions.defaults(), consumer);
    }

    /**
     * Delivers every entry from number {@code from} on to {@code consumer}, in ascending order and without a gap. First
     * delivers the entries that exist, and then each that any process appends, usually within a cadence, or sooner if
     * the backend listens for entries. Continues until the follower or the {@link Counters} are closed. Does not block.
     *
     * <p>{@code consumer} receives one entry at a time, on the follower's own thread, which {@link
     * CountersOptions#backgroundThreads()} creates. It may block and may use these counters. A slow consumer delays
     * only its own follower, which reads at most 100 entries ahead. If the consumer throws, the follower delivers the
     * same entry again before any later one, after a pause that grows from 100 ms to 10 seconds. To skip an entry, the
     * consumer returns normally. While the sequence cannot be read, the follower retries after the same pauses.
     *
     * <p>An entry is delivered again only if the consumer threw, or a new follower starts at or before its number. To
     * continue after a crash, the application stores the number of the last entry that it processed, and starts at the
     * next number. If the consumer stores it in the transaction of its own changes, each entry takes effect exactly
     * once. Otherwise the consumer recognizes a repetition by the entry's number, for example with a token that
     * contains it. {@link #follow(Counter, FollowOptions, Consumer)} stores the number in a counter.
     *
     * <p>An entry that was erased before it was read has no fields. A seal is not an entry: the follower of a sequence
     * that is sealed receives its last entry, and continues in the other store if the backend moves the sequence. If an
     * entry is missing in the store, the follower reports {@link CorruptDataException} and waits; it skips nothing.
     *
     * <p>A follower costs one read of the tail per cadence, and one read per 100 entries. If the backend listens, the
     * follower reads the tail after a report instead, at most once per cadence or second, and rarely without a report:
     * see {@link FollowOptions#cadence()}.
     *
     * @param from the number of the first entry, 1 or more; it need not exist yet
     * @throws IllegalArgumentException if {@code from} is less than 1
     * @throws IllegalStateException if the {@link Counters} are closed
     */
    Follower follow(long from, FollowOptions options, Consumer<? super Entry> consumer);

    /**
     * Follows this sequence from the entry after {@code checkpoint} on. The total of this counter is the number of the
     * last entry that was processed, 0 at first. The follower stores it once per cadence, when no entry is left, and on
     * close. Otherwise as {@link #follow(long, FollowOptions, Consumer)}.
     *
     * <p>Delivery is at least once: after a crash, the entries that were processed after the stored position are
     * delivered again, with the same numbers. None is skipped, even if the reply to a write of the checkpoint is lost.
     * While the counter cannot be changed, the follower reports it and continues, so more entries may be delivered
     * again.
     *
     * <p>Several followers, in one or many processes, may share a checkpoint, so that the others continue if one fails.
     * Each of them receives every entry from its start on. The checkpoint is the position of the one that is furthest
     * ahead.
     *
     * @param checkpoint a counter, in any store, that only followers of this sequence change. To start at another
     *     entry, first add the number before it to the counter. To start again, close the followers and reset the
     *     counter, or use another one
     * @throws IllegalStateException if the {@link Counters} are closed
     */
    Follower follow(Counter checkpoint, FollowOptions options, Consumer<? super Entry> consumer);

    /**
     * Erases the fields of an entry permanently, for example personal data, even in a sealed sequence. The number,
     * change, subject and live count stay. Idempotent.
     *
     * @throws IllegalArgumentException if there is no entry with this number
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if the fields may have been erased; erase again
     */
    void erase(long number);

    /**
     * Seals this sequence permanently: its entries can still be read and erased, and every later append throws {@link
     * SealedException}. The seal uses no number. Sealing again with the same address returns the same seal.
     *
     * @param forward the address where the sequence continues, in a form that the application chooses; 1 to 512 UTF-8
     *     bytes without control characters or lone surrogates
     * @throws IllegalArgumentException if {@code forward} is not valid; nothing was applied
     * @throws SealedException if the sequence was sealed with another address
     * @throws UnsupportedOperationException if the backend cannot seal sequences
     * @throws NotAppliedException if nothing was changed
     * @throws OutcomeUnknownException if the seal may have been applied; seal again to find out
     */
    Seal seal(String forward);

    /** Returns the non-blocking form of this sequence. */
    AsyncSequence async();
}
