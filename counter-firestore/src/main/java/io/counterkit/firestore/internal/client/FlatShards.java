package io.counterkit.firestore.internal.client;

import io.counterkit.NotAppliedException;
import io.counterkit.firestore.Layout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The collections of shards whose path is the name of the counter. */
final class FlatShards {
    private FlatShards() {}

    /**
     * Returns the collection of a counter.
     *
     * @throws NotAppliedException if it holds other data
     */
    static String path(Layout layout, String name) {
        NotAppliedException refusal = refusal(layout, name);
        if (refusal != null) {
            throw refusal;
        }
        return path(name);
    }

    /** Returns why a counter of this name is refused; null if it is not. */
    static @Nullable NotAppliedException refusal(Layout layout, String name) {
        String path = path(name);
        for (String taken : List.of(
                layout.counterCollection(),
                layout.sequenceCollection(),
                layout.tokenCollection(),
                layout.importCollection())) {
            if (path.equals(taken) || path.startsWith(taken + "/")) {
                return new NotAppliedException("counter '" + name + "' would have its shards in collection '" + taken
                        + "', which holds other data: choose another name; nothing was applied");
            }
        }
        return null;
    }

    /**
     * Returns the name itself if it is a path below a document, otherwise the name escaped to one segment, so that no
     * two names share a collection.
     */
    private static String path(String name) {
        String[] segments = name.split("/", -1);
        boolean isPath = segments.length > 1
                && segments.length % 2 == 1
                && Arrays.stream(segments).allMatch(segment -> !segment.isEmpty() && DocumentIds.isPlain(segment));
        return isPath ? name : DocumentIds.of(name);
    }
}
