package io.counterkit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds and appends in a transaction of the application. They are applied when that transaction is committed, together
 * with the application's own changes, or not at all.
 *
 * <p>A backend whose store has transactions offers them in its own class: {@code transact} runs a function of the
 * application, and {@code within} joins a transaction that the application has begun. If a method throws an exception
 * that it does not document, the transaction must not be committed. Not thread-safe: use it on one thread, until the
 * transaction ends.
 */
public interface CounterTransaction {
    /**
     * Adds to a counter.
     *
     * @throws IllegalArgumentException if the name is not valid, or the delta is outside ±2<sup>53</sup>
     * @throws SealedException if the counter is sealed
     */
    void add(String counter, long delta);

    /**
     * Appends an {@link Change#ADDED} entry without a subject, as {@link #append(String, Change, String, Map)} does.
     *
     * @return the number of the entry
     */
    default long append(String sequence, Map<String, ?> fields) {
        return append(sequence, Change.ADDED, null, fields);
    }

    /**
     * Appends an entry. Its number is used up only if the transaction is committed. Until the transaction ends, other
     * appends to the sequence wait for it, or the transaction is repeated.
     *
     * @param subject the item that the entry adds, updates or removes; null for an entry without a subject, whose
     *     change is {@link Change#ADDED}
     * @return the number of the entry, for the application's own changes
     * @throws IllegalArgumentException if a name or a field is not valid
     * @throws SealedException if the sequence is sealed
     * @throws ChangeRefusedException if the change does not fit the subject after the previous appends
     */
    long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields);
}
