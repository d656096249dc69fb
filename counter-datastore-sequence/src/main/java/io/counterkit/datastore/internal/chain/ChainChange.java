package io.counterkit.datastore.internal.chain;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import java.util.List;
import java.util.function.Supplier;

/** A change of a chain, which is judged anew by what is stored each time that it is tried. */
public interface ChainChange<R> {
    /** Whether it is made once in a while, and not in a stream: then that stands back for it. */
    default boolean isRare() {
        return false;
    }

    /** How many new numbers it may take. */
    default int width() {
        return 1;
    }

    /** The tokens that cover it: whoever sees one of them used knows that it may have been applied. */
    List<Key> tokens();

    /** What else it has to read. */
    default List<Key> others() {
        return List.of();
    }

    /**
     * What is to be done.
     *
     * @throws io.counterkit.CounterException if nothing is, and nothing was under its tokens
     */
    Judgement<R> judge(Snapshot snapshot);

    /**
     * What is to be written in one transaction, perhaps nothing, and what to tell once that is done.
     *
     * @param run new entries, consecutive
     * @param puts what else is written; also a seal
     * @param deletes what is deleted
     * @param result what to tell; may read
     */
    record Judgement<R>(List<Entity> run, List<Entity> puts, List<Key> deletes, Supplier<R> result) {
        /** Nothing is to be written. */
        public static <R> Judgement<R> nothing(Supplier<R> result) {
            return new Judgement<>(List.of(), List.of(), List.of(), result);
        }

        boolean isNothing() {
            return run.isEmpty() && puts.isEmpty() && deletes.isEmpty();
        }
    }
}
