package io.counterkit.datastore.internal.client;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import java.util.List;
import java.util.function.Supplier;

/**
 * What one transaction writes, perhaps nothing.
 *
 * @param run new entries of one chain, consecutive
 * @param puts other entities to put
 * @param deletes keys to delete
 * @param result returns the result of the change once the transaction is committed; may read
 */
public record WritePlan<R>(List<Entity> run, List<Entity> puts, List<Key> deletes, Supplier<R> result) {
    /** Creates a plan that writes nothing. */
    public static <R> WritePlan<R> nothing(R result) {
        return puts(List.of(), result);
    }

    /** Creates a plan that puts entities. */
    public static <R> WritePlan<R> puts(List<Entity> puts, R result) {
        return new WritePlan<>(List.of(), puts, List.of(), () -> result);
    }

    boolean isEmpty() {
        return run.isEmpty() && puts.isEmpty() && deletes.isEmpty();
    }
}
