package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldPath;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.CorruptDataException;
import io.counterkit.CountersListener;
import io.counterkit.NotAppliedException;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Layout;
import io.counterkit.spi.Call;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The layout of the stored documents, and the client that reads and writes them.
 *
 * <pre>{@code
 * counters/{name}                       num_shards
 * counters/{name}/shards/{0, 1, …}      count, and stamps: see Stamps
 * counters/{name}/shards/seal           see CounterSeal
 * sequences/{name}
 * sequences/{name}/entries/{mix-number} see EntryDocument
 * sequences/{name}/subjects/{subject}   live
 * counter_tokens/{hash}                 see TokenDocument
 * counter_imports/{hash}                see ImportMarker and ExtensionSource
 * }</pre>
 *
 * <p>With flat shards, the shards of a counter are in the collection whose path is its name. The layout of counters is
 * that of the published recipe of distributed counters. A counter that has a shard has a document too: both are created
 * in one commit, and deleted in one. A sealed counter has a document and the shard {@code seal}, even if it was absent.
 */
public final class FirestoreSchema {
    public static final String FORWARD = "forward";
    public static final String LIVE = "live";

    /** The name of the shard count in other snippets of the recipe. */
    private static final String OTHER_SHARD_COUNT_FIELD = "numShards";

    private static final String ENTRIES = "entries";
    private static final String SUBJECTS = "subjects";

    /** Odd, so that multiplication by it maps successive numbers to distinct, distant values. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private final Firestore firestore;
    private final FirestoreCounterOptions options;
    private final Layout layout;
    private final StoreClock clock;
    private final RetryingClient client;
    private final ListenerPool listeners;
    private final HashedDocuments hashed;
    private final CollectionReference counters;
    private final FieldPath countPath;

    /** Creates the schema of a backend that uses {@code machine} as the clock of this machine. */
    public FirestoreSchema(Firestore firestore, FirestoreCounterOptions options, InstantSource machine) {
        this.firestore = firestore;
        this.options = options;
        this.layout = options.layout();
        this.clock = new StoreClock(machine);
        this.client = new RetryingClient(clock, new TokenRetention(options.retention()));
        this.listeners = new ListenerPool(client.timers(), options.listenerLinger());
        this.hashed = new HashedDocuments(firestore, layout);
        this.counters = firestore.collection(layout.counterCollection());
        this.countPath = FieldPath.of(layout.countField());
    }

    public Firestore firestore() {
        return firestore;
    }

    public FirestoreCounterOptions options() {
        return options;
    }

    public Layout layout() {
        return layout;
    }

    /** Creates a call of a method that only this backend has, or of its background work. */
    public Call ownCall() {
        return new Call(options.deadline(), CountersListener.disabled());
    }

    public StoreClock clock() {
        return clock;
    }

    public RetryingClient client() {
        return client;
    }

    public BackendTimers timers() {
        return client.timers();
    }

    ListenerPool listeners() {
        return listeners;
    }

    /** Returns whether the client is connected to an emulator, which has no limits. */
    public boolean isEmulator() {
        return firestore.getOptions().getCredentials() instanceof FirestoreOptions.EmulatorCredentials;
    }

    public CollectionReference counters() {
        return counters;
    }

    public DocumentReference counter(String name) {
        return counters().document(DocumentIds.of(name));
    }

    public CollectionReference shards(String name) {
        return layout.hasFlatShards()
                ? firestore.collection(FlatShards.path(layout, name))
                : counter(name).collection(layout.shardCollection());
    }

    /** Returns the refusal of a counter name; null if there may be a counter of this name. */
    public @Nullable NotAppliedException refusalOfName(String counter) {
        return layout.hasFlatShards() ? FlatShards.refusal(layout, counter) : null;
    }

    public DocumentReference shard(String name, int shard) {
        return shards(name).document(Integer.toString(shard));
    }

    /** Returns the field of a shard that holds its count, parsed already for the writes of adds. */
    public FieldPath countPath() {
        return countPath;
    }

    /**
     * Checks that a document of a flat collection is a shard, since other software may use a collection of that name.
     *
     * @throws CorruptDataException if it has neither a count nor a seal
     */
    public void checkIsShard(String name, DocumentSnapshot document) {
        if (layout.hasFlatShards()
                && !document.contains(layout.countField())
                && !document.contains(CounterSeal.FIELD)) {
            throw new CorruptDataException("counter '" + name + "': document '"
                    + document.getReference().getPath() + "' is not a shard, since it has no field '"
                    + layout.countField()
                    + "': other software uses the collection, so choose another name for the counter; nothing"
                    + " was changed");
        }
    }

    /** Returns the only shard of a sealed counter. */
    public DocumentReference sealedShard(String name) {
        return shards(name).document(CounterSeal.FIELD);
    }

    /** Returns the field of a counter's document that holds its shard count; null if there is no field or document. */
    @Nullable public String shardCountField(DocumentSnapshot counter) {
        if (counter.get(layout.shardCountField()) instanceof Long) {
            return layout.shardCountField();
        }
        return counter.get(OTHER_SHARD_COUNT_FIELD) instanceof Long ? OTHER_SHARD_COUNT_FIELD : null;
    }

    public CollectionReference sequences() {
        return firestore.collection(layout.sequenceCollection());
    }

    public DocumentReference sequence(String name) {
        return sequences().document(DocumentIds.of(name));
    }

    /** Returns the document of an entry. Its id starts with a mix, since successive ids would form a hot spot. */
    public DocumentReference entry(String sequence, long number) {
        String mix = Long.toHexString((number * SCATTER) >>> 48 | 0x10000).substring(1);
        return entries(sequence).document(mix + "-" + number);
    }

    public CollectionReference entries(String sequence) {
        return sequence(sequence).collection(ENTRIES);
    }

    public DocumentReference subject(String sequence, String subject) {
        return sequence(sequence).collection(SUBJECTS).document(DocumentIds.of(subject));
    }

    /** Returns the documents whose id is a hash: those of tokens, and the markers of imports. */
    public HashedDocuments hashed() {
        return hashed;
    }

    /** Returns the end of the retention of a token that is stored now, by the store's clock. */
    public Instant endOfRetention() {
        Instant now = clock.now();
        if (now == null) {
            throw new IllegalStateException("Firestore's time is unknown before its first answer");
        }
        return now.plus(options.retention());
    }
}
