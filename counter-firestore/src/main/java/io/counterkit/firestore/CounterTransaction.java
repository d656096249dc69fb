package io.counterkit.firestore;

import com.google.cloud.firestore.Transaction;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.SealedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The application's own documents, adds and appends in one transaction: all are applied together, or none. {@link
 * FirestoreCounterBackend#transact} passes it to a {@link TransactionFunction}. Use it on the thread of that function
 * only, and only until the function returns.
 */
public interface CounterTransaction {
    /**
     * The client's transaction, for the application's own documents. As always in one, read everything first and write
     * then.
     */
    Transaction documents();

    /**
     * Adds to a counter when the transaction is committed.
     *
     * @throws IllegalArgumentException if the name is none, or the delta, or the sum of those for one counter, is outside
     *     ±2<sup>53</sup>
     */
    void add(String counter, long delta);

    /** As {@link #append(String, Change, String, Map)} without a subject: one more live thing. */
    long append(String sequence, Map<String, ?> fields);

    /**
     * Appends an entry when the transaction is committed, and tells the number it will have then, for the application's
     * own documents. If somebody else takes the number first, the body is run again and gets another.
     *
     * @throws SealedException if the sequence is sealed
     * @throws ChangeRefusedException if the change does not fit its subject, as the appends before it left that
     * @throws IllegalArgumentException if a name or a field is none
     */
    long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields);
}
