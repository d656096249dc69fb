package io.counterkit.firestore.internal.client;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.firestore.Layout;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The documents of tokens and the markers of imports. Their ids are hashes, so that successive ones are spread evenly.
 */
public final class HashedDocuments {
    private final Firestore firestore;
    private final Layout layout;
    private final String place;
    private final CollectionReference tokens;

    HashedDocuments(Firestore firestore, Layout layout) {
        this.firestore = firestore;
        this.layout = layout;
        this.place = String.join(
                "//", layout.counterCollection(), shardsPlace(), layout.countField(), layout.sequenceCollection());
        this.tokens = firestore.collection(layout.tokenCollection());
    }

    /**
     * Returns the place where counters and sequences are stored. A token identifies a change in one place. Paths have
     * no empty segments, so different places have different texts.
     */
    public String place() {
        return place;
    }

    /** Returns the id of the collections of shards, or a text that is no id if the shards are flat. */
    public String shardsPlace() {
        return layout.hasFlatShards() ? "/" : layout.shardCollection();
    }

    /** Returns the first document of a token, which is the same in all places; see {@code TokenStore}. */
    public DocumentReference token(IdempotencyToken token) {
        return tokenDocument(Commit.withoutMark(token).value());
    }

    /** Returns the second document of a token, which belongs to this place alone. */
    public DocumentReference secondToken(IdempotencyToken token) {
        // A token has no control character, so no first document has this id.
        return tokenDocument(place + '\n' + Commit.withoutMark(token).value());
    }

    private DocumentReference tokenDocument(String text) {
        return tokens.document(hash(text));
    }

    /**
     * Returns the document that marks a name as imported. It is in a separate collection, so that a delete does not
     * remove it.
     */
    public DocumentReference importMarker(ChangeTarget.Kind kind, String name) {
        // The collection, not only the kind: backends in one database may have different collections and equal names.
        return importDocument(collection(kind) + "/" + name);
    }

    /**
     * Returns the marker to use if the first one belongs to another name: collections and names may contain slashes.
     */
    public DocumentReference secondImportMarker(ChangeTarget.Kind kind, String name) {
        return importDocument(kind + "\n" + collection(kind) + "\n" + name);
    }

    /**
     * Returns the document that records the values taken over from an application's document; see {@code
     * ExtensionSource}.
     */
    public DocumentReference extensionMarker(String document) {
        return importDocument("extension\n" + document);
    }

    private DocumentReference importDocument(String text) {
        return firestore.collection(layout.importCollection()).document(hash(text));
    }

    private String collection(ChangeTarget.Kind kind) {
        return kind == ChangeTarget.Kind.COUNTER ? layout.counterCollection() : layout.sequenceCollection();
    }

    /** Returns a short id that is evenly spread even if tokens or names are successive. */
    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
