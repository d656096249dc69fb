package io.counterkit.firestore;

import com.google.cloud.firestore.Transaction;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.SealedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application's own documents, adds and appends in one transaction: either all are applied or none. {@link
 * FirestoreCounterBackend#transact} passes it to a {@link TransactionFunction}. Use it only on the thread of that
 * function, and only until the function returns.
 */
public interface CounterTransaction {
    /** Returns the client's transaction, for the application's own documents. Read everything before you write. */
    Transaction documents();

    /**
     * Adds to a counter when the transaction is committed.
     *
     * @throws IllegalArgumentException if {@code counter} is not a valid counter name, or if the delta, or the sum of the
     *     deltas for the counter, is outside ±2<sup>53</sup>
     */
    void add(String counter, long delta);

    /** Appends an {@link Change#ADDED} entry without a subject, as {@link #append(String, Change, String, Map)} does. */
    long append(String sequence, Map<String, ?> fields);

    /**
     * Appends an entry when the transaction is committed. If another writer takes its number first, the function runs
     * again and gets another number.
     *
     * @return the number that the entry will have, for the application's own documents
     * @throws SealedException if the sequence is sealed
     * @throws ChangeRefusedException if the change does not fit its subject after the previous appends
     * @throws IllegalArgumentException if a name or a field is invalid
     */
    long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields);
}
