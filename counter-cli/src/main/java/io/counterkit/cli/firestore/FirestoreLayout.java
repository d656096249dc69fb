package io.counterkit.cli.firestore;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Layout;
import picocli.CommandLine.Option;

/** The options that say where in the database the counters are, and the names of their parts. */
final class FirestoreLayout {
    private static final Layout DEFAULTS = FirestoreCounterOptions.defaults().layout();

    @Option(
            names = "--collection",
            paramLabel = "PATH",
            description = "The collection of the counters. Default: ${DEFAULT-VALUE}.")
    private String counters = DEFAULTS.counterCollection();

    @Option(
            names = "--shard-collection",
            paramLabel = "ID",
            description = "The collection of shards beneath each counter. Default: ${DEFAULT-VALUE}.")
    private String shards = DEFAULTS.shardCollection();

    @Option(
            names = "--count-field",
            paramLabel = "FIELD",
            description = "The field of a shard with its part of the total. Default: ${DEFAULT-VALUE}.")
    private String countField = DEFAULTS.countField();

    @Option(
            names = "--shard-count-field",
            paramLabel = "FIELD",
            description = "The field of a counter with the number of its shards. Default: ${DEFAULT-VALUE}.")
    private String shardCountField = DEFAULTS.shardCountField();

    @Option(
            names = "--sequence-collection",
            paramLabel = "PATH",
            description = "The collection of the sequences. Default: ${DEFAULT-VALUE}.")
    private String sequences = DEFAULTS.sequenceCollection();

    @Option(
            names = "--token-collection",
            paramLabel = "PATH",
            description = "The collection of the idempotency tokens. Default: ${DEFAULT-VALUE}.")
    private String tokens = DEFAULTS.tokenCollection();

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "The number of shards of a new counter. Default: ${DEFAULT-VALUE}.")
    private int shardCount = FirestoreCounterOptions.defaults().shards();

    /**
     * Returns the options of the backend.
     *
     * @throws IllegalArgumentException if one is invalid
     */
    FirestoreCounterOptions options() {
        return FirestoreCounterOptions.builder()
                .counterCollection(counters)
                .shardCollection(shards)
                .countField(countField)
                .shardCountField(shardCountField)
                .sequenceCollection(sequences)
                .tokenCollection(tokens)
                .shards(shardCount)
                .build();
    }
}
