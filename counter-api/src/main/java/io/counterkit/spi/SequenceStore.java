package io.counterkit.spi;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Seal;
import io.counterkit.Tail;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of a store. Failures are told as in {@link CounterStore}. Every read is strong. Thread-safe.
 */
public interface SequenceStore {
    /** How appends are combined before they come here. Asked once. */
    BatchLimits limits();

    /** What an append takes of {@link BatchLimits#maxWeight()}: from 1 to that. */
    default int weight(AppendRequest request) {
        return 1;
    }

    /**
     * Appends the requests in this order under consecutive numbers, and answers in the same order. Each is judged after
     * those before it, in three steps:
     *
     * <ol>
     *   <li>A token that was seen before is answered with the first entry, or refused with
     *       {@link io.counterkit.TokenRefusedException} if that has another sequence, change or subject; fields are not
     *       compared.
     *   <li>After a seal it fails with {@link io.counterkit.SealedException}.
     *   <li>If it does not fit its subject, it fails with {@link io.counterkit.ChangeRefusedException}, uses up no
     *       number, and leaves its token as it was. If it is only for an earlier request of the batch that it does not
     *       fit, and that one was not applied after all, it is answered {@link Result#retry()} or as that one.
     * </ol>
     *
     * <p>No token comes twice in a batch.
     */
    CompletableFuture<List<Result<Entry>>> append(String sequence, List<AppendRequest> requests, Commit commit);

    /** The last number, the live count and the seal, at one moment; {@link Tail#EMPTY} for an unknown sequence. */
    CompletableFuture<Tail> tail(String sequence, Call call);

    /** The entries with numbers in {@code range}, ascending; numbers beyond the last are left out. */
    CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call);

    /**
     * Blanks the fields of an entry for good; number, change, subject and live count stay. Again does nothing more.
     * Works on sealed sequences too. Tells whether there is an entry with this number.
     */
    CompletableFuture<Boolean> erase(String sequence, long number, Commit commit);

    /** Names of sequences that hold an entry or a seal; as {@link CounterStore#names}. */
    CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call);

    /**
     * Ends the sequence, an empty one too; as {@link CounterStore#seal}. The seal takes the place after the last entry,
     * so that whoever wants that number meets it. Called only where {@link Capability#SEAL_SEQUENCES} is declared.
     */
    default CompletableFuture<Seal> seal(String sequence, String forward, Commit commit) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("seal"));
    }
}
