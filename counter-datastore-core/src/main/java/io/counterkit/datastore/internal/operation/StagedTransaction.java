package io.counterkit.datastore.internal.operation;

import io.counterkit.Change;
import io.counterkit.CounterTransaction;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Stages the appends and adds that an application makes in its transaction. */
public interface StagedTransaction extends CounterTransaction {
    /** Returns the changes that are staged. */
    StagedChanges changes();

    @Override
    default long append(String sequence, Change change, @Nullable String subject, Map<String, ?> fields) {
        return changes().append(sequence, change, subject, fields);
    }

    @Override
    default void add(String counter, long delta) {
        changes().add(counter, delta);
    }
}
