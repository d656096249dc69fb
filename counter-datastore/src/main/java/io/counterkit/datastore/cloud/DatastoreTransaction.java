package io.counterkit.datastore.cloud;

import com.google.cloud.datastore.Transaction;
import io.counterkit.Change;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the application with appends and adds in it, see {@link DatastoreCounterBackend#transact}. Only the
 * thread that it was passed to may use it, until the function returns.
 */
public interface DatastoreTransaction {
    /**
     * Returns the transaction for the application's own entities; up to 25 entity groups where the store limits them. Its
     * writes are sent when the function has returned. The function must neither commit it nor roll it back. Its keys need a
     * namespace of their own where that of the backend is not meant: {@code newKeyFactory().setNamespace(…)}.
     */
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
