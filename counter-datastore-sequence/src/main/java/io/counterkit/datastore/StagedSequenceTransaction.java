package io.counterkit.datastore;

import com.google.appengine.api.datastore.Transaction;
import io.counterkit.Change;
import io.counterkit.datastore.internal.operation.StagedChanges;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The appends and adds that an application makes in its transaction. */
record StagedSequenceTransaction(Transaction transaction, StagedChanges changes) implements SequenceTransaction {
    @Override
    public long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        return changes.append(sequence, change, subject, fields);
    }

    @Override
    public void add(String counter, long delta) {
        changes.add(counter, delta);
    }
}
