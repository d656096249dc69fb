package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.spi.ChangeTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where things are stored.
 *
 * <pre>{@code
 * counters/{name}                       num_shards
 * counters/{name}/shards/{0, 1, …}      count
 * sequences/{name}
 * sequences/{name}/entries/{mix-number} see EntryDocument
 * sequences/{name}/subjects/{subject}   live
 * counter_tokens/{hash}                 see Marker and Tokens
 * counter_imports/{hash}                see ImportMarker
 * }</pre>
 *
 * <p>The layout of counters is that of the published recipe of distributed counters. Where a shard is, its counter's
 * document is too: both are made in one commit, and both are deleted in one.
 */
public final class FirestoreSchema {
    public static final String FORWARD = "forward";
    public static final String LIVE = "live";

    /** What other snippets of the recipe call the shard count. */
    private static final String OTHER_SHARD_COUNT_FIELD = "numShards";

    private static final String ENTRIES = "entries";
    private static final String SUBJECTS = "subjects";

    /** Odd, so that multiplying by it gives each number a place of its own, far from that of the next. */
    private static final long SCATTER = 0x9E3779B97F4A7C15L;

    private final Firestore firestore;
    private final FirestoreCounterOptions options;
    private final StoreClock clock;
    private final Requests requests;
    private final CommitRetrier sender;

    public FirestoreSchema(Firestore firestore, FirestoreCounterOptions options) {
        this(firestore, options, new StoreClock());
    }

    public FirestoreSchema(Firestore firestore, FirestoreCounterOptions options, StoreClock clock) {
        this.firestore = firestore;
        this.options = options;
        this.clock = clock;
        this.requests = new Requests(clock);
        this.sender = new CommitRetrier(requests);
    }

    public Firestore firestore() {
        return firestore;
    }

    public FirestoreCounterOptions options() {
        return options;
    }

    /** The clock of the store. */
    public StoreClock clock() {
        return clock;
    }

    /** The way to the store for a single request. */
    public Requests requests() {
        return requests;
    }

    /** The way to the store for what is repeated until there is an answer. */
    public CommitRetrier sender() {
        return sender;
    }

    public CollectionReference counters() {
        return firestore.collection(options.counterCollection());
    }

    public DocumentReference counter(String name) {
        return counters().document(DocumentIds.of(name));
    }

    public CollectionReference shards(String name) {
        return counter(name).collection(options.shardCollection());
    }

    public DocumentReference shard(String name, int shard) {
        return shards(name).document(Integer.toString(shard));
    }

    /** The field of this counter's document that holds its shard count; null if none does. */
    @Nullable public String shardCountField(DocumentSnapshot counter) {
        if (counter.get(options.shardCountField()) instanceof Long) {
            return options.shardCountField();
        }
        return counter.get(OTHER_SHARD_COUNT_FIELD) instanceof Long ? OTHER_SHARD_COUNT_FIELD : null;
    }

    public CollectionReference sequences() {
        return firestore.collection(options.sequenceCollection());
    }

    public DocumentReference sequence(String name) {
        return sequences().document(DocumentIds.of(name));
    }

    /** Ids that follow one another would all be written to the same place of the store, so they start with a mix. */
    public DocumentReference entry(String sequence, long number) {
        String mix = Long.toHexString((number * SCATTER) >>> 48 | 0x10000).substring(1);
        return sequence(sequence).collection(ENTRIES).document(mix + "-" + number);
    }

    public DocumentReference subject(String sequence, String subject) {
        return sequence(sequence).collection(SUBJECTS).document(DocumentIds.of(subject));
    }

    /**
     * Where counters and sequences are stored, for tokens: a token stands for a change in one place. No segment of a path
     * is empty, so that no two places are written alike.
     */
    public String place() {
        return String.join(
                "//",
                options.counterCollection(),
                options.shardCollection(),
                options.countField(),
                options.sequenceCollection());
    }

    /** The first document of a token, as {@code TokenStore} has it: the same in all places. */
    public DocumentReference marker(IdempotencyToken token) {
        return firestore.collection(options.tokenCollection()).document(hash(token.value()));
    }

    /** The second document of a token: of this place alone. */
    public DocumentReference secondMarker(IdempotencyToken token) {
        // No token has a control character, so that this is the first document of none.
        return firestore.collection(options.tokenCollection()).document(hash(place() + '\n' + token.value()));
    }

    /** Outside what was imported, so that it stays when a counter is deleted. */
    public DocumentReference importMarker(ChangeTarget.Kind kind, String name) {
        // Not just the kind: backends with collections of their own in one database may well share names.
        return firestore.collection(options.importCollection()).document(hash(collection(kind) + "/" + name));
    }

    /** Where the same is if the other one tells of another name: both may have slashes, collections and names. */
    public DocumentReference secondImportMarker(ChangeTarget.Kind kind, String name) {
        return firestore
                .collection(options.importCollection())
                .document(hash(kind + "\n" + collection(kind) + "\n" + name));
    }

    private String collection(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? options.counterCollection() : options.sequenceCollection();
    }

    /** Whatever tokens and names look like, one after another for instance, this is spread evenly and short. */
    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** When a token that is stored now may be forgotten, by the store's clock. */
    public Instant forgottenAt() {
        Instant now = clock.now();
        if (now == null) {
            throw new IllegalStateException("Firestore has not told its time yet");
        }
        return now.plus(options.retention());
    }
}
