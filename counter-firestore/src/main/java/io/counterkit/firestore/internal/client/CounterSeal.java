package io.counterkit.firestore.internal.client;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.FieldValue;
import io.counterkit.CorruptDataException;
import io.counterkit.Seal;
import io.counterkit.spi.Limits;
import io.counterkit.spi.NameState;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The seal of a counter: the field {@code seal}, a map, of the counter's document and of its only shard.
 *
 * <p>Sealing deletes all shards in one transaction and creates the shard {@code seal}. An add updates a shard, so after
 * the seal it fails without an extra read. The count of the shard {@code seal} is NaN, so every later sum over the
 * shards is NaN too, whatever other software adds, and the total is taken from the seal.
 *
 * @param forward the address where the counter continues
 * @param total the final total, even if it is out of range
 * @param isPresent whether the counter existed
 * @param at the time of the seal by the store's clock
 */
public record CounterSeal(String forward, BigInteger total, boolean isPresent, Instant at) {
    /** The field of both documents. */
    public static final String FIELD = "seal";

    private static final String FORWARD = "forward";
    private static final String TOTAL = "total";
    private static final String PRESENT = "present";
    private static final String AT = "at";

    /** The field of a counter's document that states whether a sealed counter existed. */
    static final FieldPath PRESENCE = FieldPath.of(FIELD, PRESENT);

    private static final BigInteger MAX_LONG = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger MIN_LONG = BigInteger.valueOf(Long.MIN_VALUE);

    /** Returns the map to store, with the time of the commit. */
    public static Map<String, Object> fields(String forward, BigInteger total, boolean isPresent) {
        return Map.of(
                FORWARD,
                forward,
                TOTAL,
                clamp(total).equals(total) ? total.longValueExact() : total.toString(),
                PRESENT,
                isPresent,
                AT,
                FieldValue.serverTimestamp());
    }

    /** Reads the seal in the document of a counter or a shard; returns null if it has none. */
    public static @Nullable CounterSeal of(DocumentSnapshot document) {
        if (!document.exists() || !(document.get(FIELD) instanceof Map<?, ?> seal) || !seal.containsKey(FORWARD)) {
            return null;
        }
        if (seal.get(FORWARD) instanceof String forward
                && !forward.isEmpty()
                && seal.get(PRESENT) instanceof Boolean isPresent
                && seal.get(AT) instanceof Timestamp at) {
            Object total = seal.get(TOTAL);
            if (total instanceof Long value) {
                return new CounterSeal(forward, BigInteger.valueOf(value), isPresent, StoreClock.toInstant(at));
            }
            if (total instanceof String digits && digits.matches("-?\\d{19,30}")) {
                return new CounterSeal(forward, new BigInteger(digits), isPresent, StoreClock.toInstant(at));
            }
        }
        throw new CorruptDataException("document '" + document.getReference().getPath()
                + "' holds no valid seal: another program has written or changed its field '" + FIELD
                + "', so correct it or remove it");
    }

    /** Returns whether a counter was absent when it was sealed. */
    public static boolean isOfAbsent(DocumentSnapshot counter) {
        return Boolean.FALSE.equals(counter.get(PRESENCE));
    }

    private static BigInteger clamp(BigInteger total) {
        return total.min(MAX_LONG).max(MIN_LONG);
    }

    /** Returns whether the total can be read. */
    public boolean isInRange() {
        return total.abs().compareTo(BigInteger.valueOf(Limits.MAX_TOTAL)) <= 0;
    }

    /** Returns the seal to report. Saturates a total that does not fit into 64 bits. */
    public Seal seal() {
        long last = clamp(total).longValueExact();
        return new Seal(forward, last, last);
    }

    public NameState state() {
        return new NameState(isPresent, seal(), at);
    }
}
