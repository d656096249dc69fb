package io.counterkit.firestore;

import com.google.cloud.firestore.Transaction;
import io.counterkit.CounterTransaction;

/**
 * The application's own documents, adds and appends in one transaction. {@link FirestoreCounterBackend#transact} passes
 * it to a {@link TransactionFunction}. Use it only on the thread of that function, and only until the function returns.
 *
 * <p>If another writer takes the number of an appended entry first, the function runs again and gets another number.
 * The sum of the deltas for one counter must be within ±2<sup>53</sup>.
 */
public interface FirestoreTransaction extends CounterTransaction {
    /** Returns the client's transaction, for the application's own documents. Read everything before you write. */
    Transaction transaction();
}
