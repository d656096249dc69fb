package io.counterkit.spi;

import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The operations that a migration needs. The operations on the source require a seal capability, and the operations on
 * the target require {@link Capability#IMPORT}. All reads are strong. Every operation is idempotent, for any number of
 * processes at any time, so a failed one can be repeated whatever its outcome. None has a token. An operation that
 * changes something fails with {@link NotAppliedException} only if it was not applied and never will be,
 * and with any other exception if it may have been applied: see {@link BlockingCalls#repeatable}. Thread-safe.
 */
public interface MigrationStore {
    /**
     * Returns the state of each name, in the order of {@code names}. Called on source and target. If a name is corrupt,
     * the future fails with {@link io.counterkit.CorruptDataException}, and the caller then asks for each name alone.
     *
     * @param names at most {@value Limits#MAX_PAGE} names, or none
     */
    CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call);

    /**
     * Returns the sums that software that ignores seals has added to sealed counters after their seals, in the order of
     * {@code counters}; 0 for a counter that is not sealed. No total includes it. Called on the source, for reports.
     * The default returns 0 for each counter, for stores whose seal stops every writer.
     */
    default CompletableFuture<List<Long>> lateAdds(List<String> counters, Call call) {
        return CompletableFuture.completedFuture(Collections.nCopies(counters.size(), 0L));
    }

    /**
     * Returns whether a subject is live; empty if no entry has that subject. Called on the source after the sequence is
     * sealed, so that the answer is final.
     */
    CompletableFuture<Optional<Boolean>> subject(String sequence, String subject, Call call);

    /**
     * Makes an absent name start with {@code base}: a counter with that total, a sequence with the number after
     * {@link ImportedState#last()}. The import is remembered permanently, even after the counter is deleted, and later
     * calls change nothing. Called on the target.
     *
     * @return the state that the name started with: {@code base}, or the state of an earlier import. The future fails
     *     with {@link NotAppliedException} if the name is in use and was not imported
     */
    CompletableFuture<ImportedState> importBase(ChangeTarget.Kind kind, String name, ImportedState base, Call call);

    /**
     * Returns why this store can never import a name, for instance because it would take the place of other data; null if
     * it can. A migration asks before it seals the name at the source, since a seal is permanent. Called on the target.
     * Does not access the store. The default returns null.
     */
    default @Nullable NotAppliedException refusalOf(ChangeTarget.Kind kind, String name) {
        return null;
    }

    /**
     * Returns the state that each name started with, in the order of {@code names}; empty if it was not imported.
     *
     * @param names at most {@value Limits#MAX_PAGE} names, or none
     */
    CompletableFuture<List<Optional<ImportedState>>> bases(ChangeTarget.Kind kind, List<String> names, Call call);

    /**
     * Sets whether a subject was live at the import. Does nothing if the sequence knows the subject. Called on the
     * target, after the sequence was imported.
     */
    CompletableFuture<Void> importSubject(String sequence, String subject, boolean isLive, Call call);

    /**
     * Stores entries from before the import, unchanged. Does not change entries that are already stored. Entries that
     * are never copied are omitted from reads and cannot be erased. Called on the target.
     *
     * @param entries at most 100 entries with numbers up to {@link ImportedState#last()}. The future fails with
     *     {@link NotAppliedException} if a number is higher
     */
    CompletableFuture<Void> copy(String sequence, List<Entry> entries, Call call);
}
