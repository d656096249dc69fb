package io.counterkit.firestore;

import io.counterkit.firestore.internal.client.CounterSeal;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names of the collections and fields in which {@link FirestoreCounterBackend} stores counters and sequences.
 * {@link FirestoreCounterOptions.Builder} states the defaults.
 *
 * @param counterCollection the path of the collection of counters
 * @param shardCollection the id of the collection of shards under each counter
 * @param hasFlatShards whether the name of a counter is the path of its collection of shards instead
 * @param countField the field of a shard that holds its part of the total
 * @param shardCountField the field of a counter that holds its shard count
 * @param totalField the field of a counter that holds its roll-up
 * @param totalTimeField the field of a counter that holds the time of its roll-up
 * @param sequenceCollection the path of the collection of sequences
 * @param tokenCollection the path of the collection of idempotency tokens
 * @param importCollection the path of the collection that marks the names imported from another store
 */
public record Layout(
        String counterCollection,
        String shardCollection,
        boolean hasFlatShards,
        String countField,
        String shardCountField,
        String totalField,
        String totalTimeField,
        String sequenceCollection,
        String tokenCollection,
        String importCollection) {
    private static final String SEAL_FIELD = CounterSeal.FIELD;
    private static final Pattern RESERVED = Pattern.compile("\\.|\\.\\.|__.*__", Pattern.DOTALL);

    /**
     * Checks that each collection and each field of a counter has its own name.
     *
     * @throws IllegalArgumentException otherwise
     */
    public Layout {
        List<String> collections = List.of(counterCollection, sequenceCollection, tokenCollection, importCollection);
        if (collections.stream().distinct().count() < 4) {
            throw new IllegalArgumentException("counters in '" + counterCollection + "', sequences in '"
                    + sequenceCollection + "', tokens in '" + tokenCollection + "' and imports in '" + importCollection
                    + "': each needs a collection of its own");
        }
        if (List.of(countField, shardCountField, totalField, totalTimeField).contains(SEAL_FIELD)) {
            throw new IllegalArgumentException("the field '" + SEAL_FIELD
                    + "' of counters and shards holds the seal of a counter: choose another name");
        }
        checkNotInside(collections, counterCollection, shardCollection, sequenceCollection);
        if (totalField.equals(totalTimeField)
                || Set.of(totalField, totalTimeField).contains(shardCountField)) {
            throw new IllegalArgumentException("a counter has its shard count in '" + shardCountField
                    + "', its roll-up in '" + totalField + "' and the time of its roll-up in '" + totalTimeField
                    + "': each needs a field of its own");
        }
    }

    /**
     * Checks that a collection of the application is not one of these.
     *
     * @throws IllegalArgumentException otherwise
     */
    void checkIsNotOwn(String collection) {
        if (List.of(counterCollection, sequenceCollection, tokenCollection, importCollection)
                .contains(collection)) {
            throw new IllegalArgumentException("collection '" + collection
                    + "' holds data of the backend itself: name the collection of the application's documents");
        }
        checkNotInside(List.of(collection), counterCollection, shardCollection, sequenceCollection);
    }

    private static void checkNotInside(
            List<String> collections, String counterCollection, String shardCollection, String sequenceCollection) {
        checkNotInside(collections, counterCollection, shardCollection);
        checkNotInside(collections, sequenceCollection, "entries");
        checkNotInside(collections, sequenceCollection, "subjects");
    }

    /** Throws if one of the collections is the collection {@code inner} of a document in {@code outer}. */
    private static void checkNotInside(List<String> collections, String outer, String inner) {
        Pattern inside = Pattern.compile(Pattern.quote(outer) + "/[^/]+/" + Pattern.quote(inner));
        for (String path : collections) {
            if (inside.matcher(path).matches()) {
                throw new IllegalArgumentException("collection '" + path + "' is where the documents of '" + outer
                        + "' have their '" + inner + "': each needs a collection of its own");
            }
        }
    }

    static String checkCollection(String what, String path) {
        String[] segments = path.split("/", -1);
        if (segments.length % 2 == 0) {
            throw new IllegalArgumentException(
                    what + " '" + path + "' is the path of a document: a collection has 1, 3, 5, … segments");
        }
        for (String segment : segments) {
            checkSegment(what, segment);
        }
        return path;
    }

    static String checkSegment(String what, String segment) {
        if (segment.isEmpty()
                || segment.contains("/")
                || RESERVED.matcher(segment).matches()) {
            throw new IllegalArgumentException(what + " '" + segment
                    + "': Firestore accepts no empty segment, no '/', '.' or '..', and no '__…__'");
        }
        return segment;
    }

    static String checkField(String what, String name) {
        if (!name.matches("[a-zA-Z_][a-zA-Z_0-9]*") || RESERVED.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " '" + name + "': use letters, digits and '_', but not '__…__'");
        }
        return name;
    }
}
