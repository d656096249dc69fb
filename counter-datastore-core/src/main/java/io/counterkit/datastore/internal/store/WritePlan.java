package io.counterkit.datastore.internal.store;

import java.util.List;
import java.util.function.Supplier;

/**
 * The writes of one transaction; may be empty.
 *
 * @param run new, consecutive entries of one chain, which do not exist yet; they are inserted if the client can insert
 * @param puts other entities to put
 * @param deletes keys to delete
 * @param result returns the result of the change once the transaction is committed; may read
 */
public record WritePlan<R>(List<StoreEntity> run, List<StoreEntity> puts, List<StoreKey> deletes, Supplier<R> result) {
    /** Creates a plan that writes nothing. */
    public static <R> WritePlan<R> nothing(R result) {
        return puts(List.of(), result);
    }

    /** Creates a plan that puts entities. */
    public static <R> WritePlan<R> puts(List<StoreEntity> puts, R result) {
        return new WritePlan<>(List.of(), puts, List.of(), () -> result);
    }

    boolean isEmpty() {
        return run.isEmpty() && puts.isEmpty() && deletes.isEmpty();
    }
}
