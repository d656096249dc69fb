package io.counterkit.cli.firestore;

import io.counterkit.firestore.FirestoreCounterOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where in the database the counters are and what their parts are called, as other programs may have it. */
final class FirestoreLayout {
    @Option(names = "--collection", paramLabel = "PATH", description = "That of the counters. Default: counters.")
    private @Nullable String counters;

    @Option(
            names = "--shard-collection",
            paramLabel = "ID",
            description = "That of the shards beneath each counter. Default: shards.")
    private @Nullable String shards;

    @Option(
            names = "--count-field",
            paramLabel = "FIELD",
            description = "What a shard holds its part of the total in. Default: count.")
    private @Nullable String countField;

    @Option(
            names = "--shard-count-field",
            paramLabel = "FIELD",
            description = "What a counter holds its number of shards in. Default: num_shards.")
    private @Nullable String shardCountField;

    @Option(
            names = "--sequence-collection",
            paramLabel = "PATH",
            description = "That of the sequences. Default: sequences.")
    private @Nullable String sequences;

    @Option(
            names = "--token-collection",
            paramLabel = "PATH",
            description = "That of the idempotency tokens. Default: counter_tokens.")
    private @Nullable String tokens;

    @Option(
            names = "--shards",
            paramLabel = "N",
            description = "How many shards a counter gets that is new. Default: 10.")
    private @Nullable Integer shardCount;

    /**
     * The same as options of the backend.
     *
     * @throws IllegalArgumentException if one makes no sense
     */
    FirestoreCounterOptions options() {
        FirestoreCounterOptions.Builder builder = FirestoreCounterOptions.builder();
        if (counters != null) {
            builder.counterCollection(counters);
        }
        if (shards != null) {
            builder.shardCollection(shards);
        }
        if (countField != null) {
            builder.countField(countField);
        }
        if (shardCountField != null) {
            builder.shardCountField(shardCountField);
        }
        if (sequences != null) {
            builder.sequenceCollection(sequences);
        }
        if (tokens != null) {
            builder.tokenCollection(tokens);
        }
        if (shardCount != null) {
            builder.shards(shardCount);
        }
        return builder.build();
    }
}
