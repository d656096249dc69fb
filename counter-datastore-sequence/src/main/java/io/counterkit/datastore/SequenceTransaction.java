package io.counterkit.datastore;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.Change;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application's own, with entries and adds in it: see {@link DatastoreSequenceBackend#transact}.
 * Used by the thread that it was given to, until the work returns.
 */
public interface SequenceTransaction {
    /** The transaction, across up to 25 entity groups, to be passed to each call for entities of the application. */
    Transaction transaction();

    /**
     * Appends an entry. It has this number if and when the transaction is committed.
     *
     * @throws IllegalArgumentException if the name or a field is none
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    default long append(String sequence, Map<String, ?> fields) {
        return append(sequence, Change.ADDED, null, fields);
    }

    /**
     * Appends an entry that is a revision of {@code subject}. It has this number if and when the transaction is
     * committed.
     *
     * @param subject null for an entry without one, which only adds
     * @throws IllegalArgumentException if a name or a field is none
     * @throws io.counterkit.ChangeRefusedException if the change does not fit the subject
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields);

    /**
     * Adds to a counter.
     *
     * @throws IllegalArgumentException if the name or the delta is none
     * @throws io.counterkit.SealedException if the counter is sealed
     */
    void add(String counter, long delta);
}
