package io.counterkit.spi;

import io.counterkit.Entry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a store does for a migration, as the end that names are moved from (where a seal is declared) or moved to (where
 * {@link Capability#IMPORT} is declared). Every read is strong. Everything here may be sent again, by any number of
 * processes at any time, and is done once; so after any failure the way out is to send it again. Thread-safe.
 */
public interface MigrationStore {
    /** What the store holds under each of the names, in their order. At either end. */
    CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call);

    /**
     * Whether a subject of a sequence is live; empty if no entry ever named it. At the end that is moved from, where the
     * sequence is sealed, so that the answer is final.
     */
    CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call);

    /**
     * Lets an absent name begin with {@code base}: a counter with that total, a sequence so that the next number is that
     * after {@link ImportedState#last()}. Remembered for good, also when the counter is deleted: later calls change nothing.
     *
     * @return the base that the name began with; another one than asked for, if it was imported before
     * @throws io.counterkit.NotAppliedException in the future, if the name is in use and was not imported
     */
    CompletableFuture<ImportedState> importBase(ChangeTarget.Kind kind, String name, ImportedState base, Call call);

    /** The bases that names began with, in their order; empty for those that were not imported. */
    CompletableFuture<List<Optional<ImportedState>>> bases(ChangeTarget.Kind kind, List<String> names, Call call);

    /** Says what became of a subject before the import. Changes nothing where the sequence knows the subject already. */
    CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call);

    /**
     * Stores entries from before the import, with their numbers, times, changes, subjects and fields. Those that are there
     * already stay as they are. Those that are not copied are left out where entries are read, and cannot be erased.
     *
     * @param entries with numbers up to {@link ImportedState#last()}, at most 100
     * @throws io.counterkit.NotAppliedException in the future, if a number is higher
     */
    CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call);
}
