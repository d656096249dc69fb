package io.counterkit.datastore;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.Change;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application with appends and adds in it, see {@link DatastoreSequenceBackend#transact}. Only the
 * thread that it was passed to may use it, until the function returns.
 */
public interface SequenceTransaction {
    /** Returns the transaction to pass to each call for the application's own entities; up to 25 entity groups. */
    Transaction transaction();

    /**
     * Appends an entry and returns its number, which it has if and when the transaction is committed.
     *
     * @throws IllegalArgumentException if the name or a field is not valid
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    default long append(String sequence, Map<String, ?> fields) {
        return append(sequence, Change.ADDED, null, fields);
    }

    /**
     * Appends an entry that is a revision of {@code subject}, and returns its number, which it has if and when the
     * transaction is committed.
     *
     * @param subject null for an entry without a subject, whose change is {@link Change#ADDED}
     * @throws IllegalArgumentException if a name or a field is not valid
     * @throws io.counterkit.ChangeRefusedException if the change does not fit the subject
     * @throws io.counterkit.SealedException if the sequence is sealed
     */
    long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields);

    /**
     * Adds to a counter.
     *
     * @throws IllegalArgumentException if the name or the delta is not valid
     * @throws io.counterkit.SealedException if the counter is sealed
     */
    void add(String counter, long delta);
}
