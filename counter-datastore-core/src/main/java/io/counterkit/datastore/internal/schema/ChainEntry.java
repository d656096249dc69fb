package io.counterkit.datastore.internal.schema;

import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.datastore.internal.store.StoreEntity;
import io.counterkit.datastore.internal.store.StoreKey;
import io.counterkit.spi.AppendRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stored place of a chain: an entry, the seal that ends the chain, or a place that an import created.
 *
 * @param number its number
 * @param runEnd the last number of the run that one transaction created; all numbers up to it exist too. For a place
 *     from before an import, the last imported number, which exists although some numbers before it may not
 * @param value the total of a counter, or the live count of a sequence, after this entry; for a place from before an
 *     import, after {@code runEnd}
 * @param isOverflown whether the total has exceeded the range of a long, and is unknown until a reset
 * @param isDeletion whether this deletes a counter
 * @param token the token that covered it; null for an imported one
 * @param seal the seal, or null for an entry
 * @param entity the stored entity
 */
public record ChainEntry(
        long number,
        long runEnd,
        long value,
        boolean isOverflown,
        boolean isDeletion,
        @Nullable String token,
        @Nullable Seal seal,
        StoreEntity entity) {
    static final String NUMBER = "number";
    static final String RUN_END = "runEnd";
    static final String VALUE = "value";
    static final String CHANGE = "change";
    static final String SUBJECT = "subject";
    static final String AT = "at";
    static final String DELTA = "delta";
    /** For people, and to recognize a commit or an adopted record. */
    static final String TOKEN = "token";

    private static final String OVERFLOWN = "overflown";
    private static final String FORWARD = "forward";

    /** The changes of a counter. */
    public enum CounterChange {
        ADD,
        RESET,
        DELETE,
        IMPORT
    }

    /** Reads a place of a chain from the entity that stores it. */
    public static ChainEntry read(DatastoreKeys keys, ChainName chain, StoreEntity entity) {
        EntityReader stored = new EntityReader(chain.toString(), entity);
        long number = stored.number(NUMBER);
        if (number != keys.number(chain, entity.key())) {
            throw stored.corrupt(NUMBER);
        }
        long value = stored.number(VALUE);
        String forward = stored.textOrNull(FORWARD);
        boolean isDeletion = chain.isCounter()
                && forward == null
                && stored.oneOf(CHANGE, CounterChange.class) == CounterChange.DELETE;
        return new ChainEntry(
                number,
                stored.number(RUN_END),
                value,
                entity.has(OVERFLOWN),
                isDeletion,
                stored.textOrNull(TOKEN),
                forward == null ? null : new Seal(forward, chain.isCounter() ? value : number - 1, value),
                entity);
    }

    /** Reads a place of a chain, or returns null if {@code found} does not have it. */
    public static @Nullable ChainEntry find(
            DatastoreKeys keys, ChainName chain, long number, Map<StoreKey, StoreEntity> found) {
        StoreEntity entity = number == 0 ? null : found.get(keys.entry(chain, number));
        return entity == null ? null : read(keys, chain, entity);
    }

    /** Returns the failure that reports an entry that was deleted: it existed, or a later one exists. */
    public static CorruptDataException missing(ChainName chain, long number) {
        return new CorruptDataException("entry " + number + " of " + chain
                + " is missing: entries must not be deleted; no number is assigned until it is restored");
    }

    /** Returns whether this is from before the import of its sequence. */
    public boolean isImported() {
        return ImportFormat.isImported(entity);
    }

    /** Returns whether this is an entry: not a seal, and not an imported place whose entry is not copied. */
    public boolean isEntry() {
        return seal == null && ImportFormat.isEntry(entity);
    }

    /** Returns whether an entry is the last one of its run; true if there is no entry. */
    public static boolean isWhole(@Nullable ChainEntry newest) {
        return newest == null || newest.runEnd == newest.number;
    }

    /** Returns the entry of a sequence. */
    public Entry toEntry() {
        EntityReader stored = new EntityReader("entry", entity);
        return new Entry(
                number,
                stored.moment(AT),
                stored.oneOf(CHANGE, Change.class),
                stored.textOrNull(SUBJECT),
                EntryFields.decode(stored),
                isImported() ? ImportFormat.liveCount(stored) : value,
                !entity.has(EntryFields.PROPERTY));
    }

    /** Returns when an entry was appended or a chain was sealed, by the clock of the process that did it. */
    public Instant at() {
        return new EntityReader("entry or seal", entity).moment(AT);
    }

    /** Creates the entry of an append. {@code tail} is the tail after it. */
    public static StoreEntity ofAppend(
            DatastoreKeys keys,
            String sequence,
            AppendRequest request,
            ChainTail tail,
            Instant at,
            IdempotencyToken token) {
        StoreEntity entry = create(keys, ChainName.sequence(sequence), tail.number(), tail.value(), at, token);
        entry.set(CHANGE, request.change().name());
        if (request.subject() != null) {
            entry.set(SUBJECT, request.subject());
        }
        entry.set(EntryFields.PROPERTY, EntryFields.encode(request.fields()));
        return entry;
    }

    /** Creates the entry of a counter's change. {@code tail} is the tail after it. */
    public static StoreEntity ofCounter(
            DatastoreKeys keys,
            ChainName counter,
            CounterChange change,
            long delta,
            ChainTail tail,
            Instant at,
            @Nullable IdempotencyToken token) {
        StoreEntity entry = create(keys, counter, tail.number(), tail.value(), at, token);
        entry.set(CHANGE, change.name());
        entry.set(DELTA, delta);
        if (tail.isOverflown()) {
            entry.set(OVERFLOWN, true);
        }
        return entry;
    }

    /** Creates a seal. */
    public static StoreEntity ofSeal(
            DatastoreKeys keys, ChainName chain, Seal seal, long number, Instant at, IdempotencyToken token) {
        StoreEntity entity = create(keys, chain, number, seal.liveCount(), at, token);
        entity.set(FORWARD, seal.forward());
        return entity;
    }

    private static StoreEntity create(
            DatastoreKeys keys,
            ChainName chain,
            long number,
            long value,
            Instant at,
            @Nullable IdempotencyToken token) {
        StoreEntity entity = new StoreEntity(keys.entry(chain, number));
        entity.set(NUMBER, number);
        entity.set(RUN_END, number);
        entity.set(VALUE, value);
        entity.set(AT, at);
        if (token != null) {
            entity.set(TOKEN, token.value());
        }
        return entity;
    }

    /** Sets the end of a run in each of its entries. */
    public static void endRun(List<StoreEntity> run) {
        if (!run.isEmpty()) {
            Object end = run.get(run.size() - 1).get(NUMBER);
            run.forEach(entry -> entry.set(RUN_END, end));
        }
    }

    /** Removes the fields. Returns false if they were removed before. */
    public static boolean tryErase(StoreEntity entry) {
        boolean hasFields = entry.has(EntryFields.PROPERTY);
        entry.remove(EntryFields.PROPERTY);
        return hasFields;
    }
}
