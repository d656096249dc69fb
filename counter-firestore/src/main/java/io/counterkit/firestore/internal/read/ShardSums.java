package io.counterkit.firestore.internal.read;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.AggregateQuerySnapshot;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.QuerySnapshot;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Reading;
import io.counterkit.firestore.CounterDescription;
import io.counterkit.firestore.internal.client.CounterSeal;
import io.counterkit.firestore.internal.client.FirestoreErrors;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.client.StoreClock;
import io.counterkit.spi.Call;
import io.counterkit.spi.Limits;
import io.counterkit.spi.Result;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads totals with the store's sum over all existing shards, including foreign ones. A sum costs one billed read per
 * thousand shards.
 */
public final class ShardSums {
    private static final BigInteger LARGEST = BigInteger.valueOf(Limits.MAX_TOTAL);

    private final FirestoreSchema schema;
    private final AggregateField sum;

    ShardSums(FirestoreSchema schema) {
        this.schema = schema;
        this.sum = AggregateField.sum(schema.layout().countField());
    }

    /** Reads the total of a counter; a counter without shards reads 0. */
    CompletableFuture<Result<Reading>> read(String name, Call call) {
        return schema.client()
                .read(call, () -> schema.shards(name).aggregate(sum).get())
                .thenCompose(answer -> reading(name, answer, call))
                .exceptionally(failure -> Result.failed(FirestoreErrors.notRead("reading '" + name + "'", failure)));
    }

    private CompletableFuture<Result<Reading>> reading(String name, AggregateQuerySnapshot answer, Call call) {
        if (answer.get(sum) instanceof Long total && isInRange(BigInteger.valueOf(total))) {
            return CompletableFuture.completedFuture(
                    Result.of(new Reading(total, StoreClock.toInstant(answer.getReadTime()), Duration.ZERO)));
        }
        // The store returns a floating point number if the sum exceeds 64 bits or a shard holds a floating point
        // number, as the seal does.
        return schema.client().read(call, () -> schema.shards(name).get()).thenApply(shards -> exact(name, shards));
    }

    private Result<Reading> exact(String name, QuerySnapshot shards) {
        CounterSeal seal = sealOf(shards);
        if (seal != null) {
            return sealed(name, seal, shards.getReadTime());
        }
        BigInteger total = BigInteger.ZERO;
        for (CounterDescription.Shard shard :
                shards(shards.getDocuments(), schema.layout().countField())) {
            if (shard.count() instanceof Long count) {
                total = total.add(BigInteger.valueOf(count));
            } else if (shard.count() instanceof Double) {
                return Result.failed(corrupt(name, shard));
            }
        }
        if (isInRange(total)) { // corrected since the sum
            return Result.of(
                    new Reading(total.longValueExact(), StoreClock.toInstant(shards.getReadTime()), Duration.ZERO));
        }
        CounterException failure = new CounterOverflowException(
                "the total of '" + name + "' is " + total + ", outside ±2^62: add the opposite, or reset it");
        return Result.failed(failure);
    }

    /** Returns the total of the seal. Ignores later adds of other software. */
    private static Result<Reading> sealed(String name, CounterSeal seal, Timestamp at) {
        return seal.isInRange()
                ? Result.of(new Reading(seal.total().longValueExact(), StoreClock.toInstant(at), Duration.ZERO))
                : Result.failed(new CounterOverflowException("counter '" + name + "' was sealed with the total "
                        + seal.total() + ", outside ±2^62, which no read returns"));
    }

    /** Returns the seal among the shards of a counter; null if there is none. */
    public static @Nullable CounterSeal sealOf(QuerySnapshot shards) {
        for (DocumentSnapshot shard : shards) {
            CounterSeal seal = CounterSeal.of(shard);
            if (seal != null) {
                return seal;
            }
        }
        return null;
    }

    /**
     * Returns the sum of the adds to a sealed counter by software that ignores seals: the sum of its other shards.
     * Returns 0 without a seal.
     */
    public static long addedAfterSeal(QuerySnapshot shards, String field) {
        if (sealOf(shards) == null) {
            return 0;
        }
        long added = 0;
        for (DocumentSnapshot shard : shards) {
            added = Limits.saturatedSum(added, shard.get(field) instanceof Long count ? count : 0);
        }
        return added;
    }

    private static boolean isInRange(BigInteger total) {
        return total.abs().compareTo(LARGEST) <= 0;
    }

    private static CorruptDataException corrupt(String name, CounterDescription.Shard shard) {
        return new CorruptDataException("shard " + shard.id() + " of counter '" + name + "' holds " + shard.count()
                + ", which is not a whole number: correct it, or reset the counter");
    }

    /** Returns the shards with their counts, by number and then by id. */
    public static List<CounterDescription.Shard> shards(List<? extends DocumentSnapshot> documents, String field) {
        double all = 0;
        for (DocumentSnapshot document : documents) {
            all += weight(document.get(field));
        }
        List<CounterDescription.Shard> shards = new ArrayList<>();
        for (DocumentSnapshot document : documents) {
            Object count = document.get(field);
            shards.add(new CounterDescription.Shard(document.getId(), count, all == 0 ? 0 : weight(count) / all));
        }
        shards.sort(Comparator.comparingInt(
                        (CounterDescription.Shard shard) -> shard.id().length())
                .thenComparing(CounterDescription.Shard::id));
        return shards;
    }

    private static double weight(@Nullable Object count) {
        return count instanceof Long value ? Math.abs((double) value) : 0;
    }
}
