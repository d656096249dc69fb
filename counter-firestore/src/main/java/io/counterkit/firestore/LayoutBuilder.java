package io.counterkit.firestore;

/** Collects the names of a {@link Layout}, with their defaults. Each method checks its value. */
abstract class LayoutBuilder {
    private String counterCollection = "counters";
    private String shardCollection = "shards";
    private boolean hasFlatShards;
    private String countField = "count";
    private String shardCountField = "num_shards";
    private String totalField = "total";
    private String totalTimeField = "total_at";
    private String sequenceCollection = "sequences";
    private String tokenCollection = "counter_tokens";
    private String importCollection = "counter_imports";

    abstract FirestoreCounterOptions.Builder self();

    Layout layout() {
        return new Layout(
                counterCollection,
                shardCollection,
                hasFlatShards,
                countField,
                shardCountField,
                totalField,
                totalTimeField,
                sequenceCollection,
                tokenCollection,
                importCollection);
    }

    /** Sets the path of the collection of counters. Default {@code counters}, as in the published recipe. */
    public FirestoreCounterOptions.Builder counterCollection(String path) {
        counterCollection = Layout.checkCollection("counter collection", path);
        return self();
    }

    /** Sets the collection of shards under each counter. Default {@code shards}, as in the published recipe. */
    public FirestoreCounterOptions.Builder shardCollection(String id) {
        shardCollection = Layout.checkSegment("shard collection", id);
        return self();
    }

    /**
     * Stores the shards of a counter in the collection whose path is the counter's name, like {@code shards} or {@code
     * samples/php/distributedCounters}, as the recipe's snippets for Ruby and PHP do. By default they are in the
     * {@linkplain #shardCollection(String) collection of shards} under the counter's document.
     *
     * <p>The document of a counter stays in the {@linkplain #counterCollection(String) collection of counters}; those
     * snippets have none, and it is created by the first add or by {@link FirestoreCounterBackend#create}. A name that
     * is not the path of a collection is escaped. A change of a counter is refused as not applied if its collection
     * contains other data of the backend.
     */
    public FirestoreCounterOptions.Builder flatShards() {
        hasFlatShards = true;
        return self();
    }

    /** Sets the field of a shard that holds its part of the total. Default {@code count}, as in the recipe. */
    public FirestoreCounterOptions.Builder countField(String name) {
        countField = Layout.checkField("count field", name);
        return self();
    }

    /**
     * Sets the field of a counter that holds its shard count. Default {@code num_shards}, as in the recipe. {@code
     * numShards}, which some of its snippets write, is read as well.
     */
    public FirestoreCounterOptions.Builder shardCountField(String name) {
        shardCountField = Layout.checkField("shard count field", name);
        return self();
    }

    /** Sets the field of a counter that holds its roll-up, the total at some moment. Default {@code total}. */
    public FirestoreCounterOptions.Builder totalField(String name) {
        totalField = Layout.checkField("total field", name);
        return self();
    }

    /** Sets the field of a counter that holds the time of its roll-up. Default {@code total_at}. */
    public FirestoreCounterOptions.Builder totalTimeField(String name) {
        totalTimeField = Layout.checkField("total time field", name);
        return self();
    }

    /** Sets the path of the collection of sequences. Default {@code sequences}. */
    public FirestoreCounterOptions.Builder sequenceCollection(String path) {
        sequenceCollection = Layout.checkCollection("sequence collection", path);
        return self();
    }

    /**
     * Sets the path of the collection of idempotency tokens. Default {@code counter_tokens}. Backends with different
     * collections in the same database may share it: a token belongs to one combination of counter, shard and sequence
     * collections and count field. Set a TTL policy on the field {@code expires} of its collection group; otherwise
     * tokens are never deleted.
     */
    public FirestoreCounterOptions.Builder tokenCollection(String path) {
        tokenCollection = Layout.checkCollection("token collection", path);
        return self();
    }

    /**
     * Sets the path of the collection of import markers, one document for each name that was imported from another
     * store. Default {@code counter_imports}. Do not delete them: a name without one may be imported twice.
     */
    public FirestoreCounterOptions.Builder importCollection(String path) {
        importCollection = Layout.checkCollection("import collection", path);
        return self();
    }
}
