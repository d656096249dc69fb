package io.counterkit.spi;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The sequences of a store. Reports failures as {@link CounterStore} does. All reads are strong. Thread-safe. */
public interface SequenceStore {
    /** Returns the batches of appends that this store accepts. */
    BatchLimits limits();

    /** Returns the weight of an append: 1 to {@link BatchLimits#maxWeight()}. */
    default int weight(AppendRequest request) {
        return 1;
    }

    /**
     * Appends the requests in this order. Returns one result for each, in the same order. A batch need not be one
     * atomic step: changes of other processes may come between its requests. Without them, its entries have consecutive
     * numbers. Each request is decided after those before it, in three steps:
     *
     * <ol>
     *   <li>If its token was used before, the result is the entry that was appended then, or
     *       {@link io.counterkit.TokenRefusedException} if that entry has another sequence, change or subject. Fields
     *       are not compared.
     *   <li>If the sequence is sealed, the request fails with {@link io.counterkit.SealedException}.
     *   <li>If the change does not fit its subject, the request fails with {@link
     *       io.counterkit.ChangeRefusedException}. It uses no number and leaves its token unused. If the change does
     *       not fit only because of an earlier request of the batch, and that request is not applied after all, the
     *       result is {@link Result#retry()} or the failure of that request.
     * </ol>
     *
     * <p>No token occurs twice in a batch.
     */
    CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit);

    /** Returns the tail, read at one moment; {@link Tail#EMPTY} for an unknown sequence. */
    CompletableFuture<Tail> tail(String sequence, Call call);

    /**
     * Listens for entries of a sequence, if the store can report them. Returns null, the default, if it cannot; a
     * follower then reads the tail once per cadence.
     *
     * <p>A report only shortens the wait of a follower, which then reads the tail. A lost report delays an entry, and a
     * superfluous report costs a read. Continues through outages until it is closed, which releases its resources. Does
     * not block.
     *
     * @param changed called soon after any process has appended, and when {@link Listening#isLive()} changes; on any
     *     thread, even before this method returns. Does not block and throws nothing
     */
    default @Nullable Listening listen(String sequence, Runnable changed) {
        return null;
    }

    /**
     * Returns the entries with numbers in {@code range}, ascending. Omits numbers after the last one.
     *
     * @param range at most {@value Limits#MAX_PAGE} numbers
     */
    CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call);

    /**
     * Erases the fields of an entry permanently, even in a sealed sequence. Number, change, subject and live count
     * stay. Idempotent. Returns whether there is an entry with this number. After an answer that there is none, no late
     * attempt of the same commit erases an entry that is appended later.
     */
    CompletableFuture<Boolean> erase(String sequence, long number, Commit commit);

    /** Lists the names of sequences that have an entry or a seal, as {@link CounterStore#names} does. */
    CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call);

    /**
     * Seals the sequence, even an empty one, as {@link CounterStore#seal} does. The seal is stored in the place of the
     * next number, so that a writer of that number finds it. Called only if {@link Capability#SEAL_SEQUENCES} is
     * declared.
     */
    default CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException(
                "seal is not implemented, though the backend declares SEAL_SEQUENCES"));
    }
}
