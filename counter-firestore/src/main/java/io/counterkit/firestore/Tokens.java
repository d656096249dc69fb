package io.counterkit.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.spi.Call;
import io.counterkit.spi.Origin;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the tokens of the store stand for. */
final class Tokens {
    private final FirestoreSchema schema;
    private final Firestore firestore;

    Tokens(FirestoreSchema schema) {
        this.schema = schema;
        this.firestore = schema.firestore();
    }

    /** The markers of those tokens that have one. */
    CompletableFuture<Map<IdempotencyToken, Marker>> read(List<IdempotencyToken> tokens, Call call) {
        if (tokens.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        DocumentReference[] references = tokens.stream().map(schema::marker).toArray(DocumentReference[]::new);
        return schema.sender().ask(call, () -> firestore.getAll(references)).thenApply(documents -> {
            Map<IdempotencyToken, Marker> markers = new HashMap<>();
            for (int i = 0; i < documents.size(); i++) {
                Marker marker = Marker.of(documents.get(i));
                if (marker != null) {
                    markers.put(tokens.get(i), marker);
                }
            }
            return markers;
        });
    }

    /** Decides: creates the marker as void, or else tells what it stands for. */
    CompletableFuture<Resolution> resolve(IdempotencyToken token, @Nullable Origin origin, Call call) {
        DocumentReference reference = schema.marker(token);
        Map<String, Object> nothing = schema.markerDocument(token, Marker.of(Marker.Kind.VOID, ""));
        return schema.sender()
                .send(call, List.of(), () -> reference.create(nothing))
                .thenCompose(answer -> {
                    if (answer.isApplied()) {
                        return CompletableFuture.completedFuture(new Resolution.NotApplied());
                    }
                    return schema.sender()
                            .ask(call, reference::get)
                            .thenApply(document -> resolution(document, origin));
                });
    }

    private static Resolution resolution(DocumentSnapshot document, @Nullable Origin origin) {
        Marker marker = Marker.of(document);
        if (marker == null) {
            throw new IllegalStateException(
                    "token document '" + document.getReference().getPath()
                            + "' was there and is gone: tokens must stay for their retention");
        }
        return marker.resolution(origin);
    }
}
