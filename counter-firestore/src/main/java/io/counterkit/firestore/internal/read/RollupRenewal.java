package io.counterkit.firestore.internal.read;

import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.DocumentReads;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.spi.Call;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sums counters and writes the sums as their roll-ups. Thread-safe.
 *
 * <p>A roll-up is written only if the counter's document has not changed since before the sum started. So one of two
 * concurrent roll-ups is dropped, a sum never replaces a later one, and a counter that was deleted, or deleted and
 * created again, gets no earlier total.
 */
record RollupRenewal(FirestoreSchema schema, CounterReads reads) {
    /**
     * The result of renewing the roll-ups of some counters. The lists do not contain counters without a document or a
     * readable total: the next change of these makes them due again.
     *
     * @param written the number of roll-ups written
     * @param early the counters whose roll-up is younger than a cadence
     * @param missed the counters to try again, after a concurrent change or a failure of the store
     * @param failure one of the store's failures; null if there was none
     */
    record Renewed(
            int written,
            List<String> early,
            List<String> missed,
            @Nullable Throwable failure) {
        private static final Renewed WRITTEN = new Renewed(1, List.of(), List.of(), null);
        private static final Renewed DROPPED = new Renewed(0, List.of(), List.of(), null);

        private static Renewed early(String name) {
            return new Renewed(0, List.of(name), List.of(), null);
        }

        static Renewed missed(List<String> names, @Nullable Throwable failure) {
            return new Renewed(0, List.of(), names, failure);
        }

        static Renewed sum(List<Renewed> parts) {
            List<String> early = new ArrayList<>();
            List<String> missed = new ArrayList<>();
            int written = 0;
            Throwable failure = null;
            for (Renewed part : parts) {
                early.addAll(part.early());
                missed.addAll(part.missed());
                written += part.written();
                failure = part.failure() == null ? failure : part.failure();
            }
            return new Renewed(written, early, missed, failure);
        }
    }

    /**
     * Renews the roll-ups of some counters. The future never fails.
     *
     * @param isForced whether to renew roll-ups younger than the cadence
     */
    CompletableFuture<Renewed> run(List<String> names, boolean isForced) {
        return Futures.inGroups(DocumentReads.groups(names), 1, group -> renewGroup(group, isForced))
                .thenApply(Renewed::sum);
    }

    private CompletableFuture<Renewed> renewGroup(List<String> names, boolean isForced) {
        Call call = schema.ownCall();
        return reads.documents(names, call)
                .thenCompose(documents -> Futures.inGroups(
                        IntStream.range(0, names.size()).boxed().toList(),
                        CounterReads.MOST_SUMS,
                        i -> renewOne(names.get(i), documents.get(i), isForced, call)))
                .thenApply(Renewed::sum)
                .exceptionally(failure -> Renewed.missed(names, failure));
    }

    private CompletableFuture<Renewed> renewOne(String name, DocumentSnapshot counter, boolean isForced, Call call) {
        if (!counter.exists() || counter.contains(CounterSeal.FIELD)) { // the seal wrote the last roll-up
            return CompletableFuture.completedFuture(Renewed.DROPPED);
        }
        if (!isForced && !reads.isDue(counter)) {
            return CompletableFuture.completedFuture(Renewed.early(name));
        }
        return reads.sum(name, call).thenCompose(result -> {
            Reading sum = result.value();
            if (sum == null) {
                return CompletableFuture.completedFuture(notSummed(name, result.failure()));
            }
            return schema.client()
                    .commit(call, List.of(name), () -> Rollup.write(counter, sum, schema))
                    .thenApply(answer -> answer.isApplied() ? Renewed.WRITTEN : Renewed.DROPPED)
                    .exceptionally(failure -> notWritten(name, failure));
        });
    }

    private static Renewed notWritten(String name, Throwable failure) {
        return Renewed.missed(List.of(name), FirestoreErrors.isStale(failure) ? null : failure);
    }

    private static Renewed notSummed(String name, @Nullable CounterException failure) {
        boolean isLasting = failure instanceof CounterOverflowException || failure instanceof CorruptDataException;
        return isLasting ? Renewed.DROPPED : Renewed.missed(List.of(name), failure);
    }
}
