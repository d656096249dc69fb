package io.counterkit.cli.firestore;

import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Layout;
import picocli.CommandLine.Option;

/** The options that say where in the database the counters are, and the names of their parts. */
final class FirestoreLayout {
    private static final Layout DEFAULTS = FirestoreCounterOptions.defaults().layout();

    @Option(names = "--collection", paramLabel = "PATH")
    private String counters = DEFAULTS.counterCollection();

    @Option(names = "--shard-collection", paramLabel = "ID")
    private String shards = DEFAULTS.shardCollection();

    @Option(names = "--flat-shards")
    private boolean isFlat;

    @Option(names = "--count-field", paramLabel = "FIELD")
    private String countField = DEFAULTS.countField();

    @Option(names = "--shard-count-field", paramLabel = "FIELD")
    private String shardCountField = DEFAULTS.shardCountField();

    @Option(names = "--sequence-collection", paramLabel = "PATH")
    private String sequences = DEFAULTS.sequenceCollection();

    @Option(names = "--token-collection", paramLabel = "PATH")
    private String tokens = DEFAULTS.tokenCollection();

    @Option(names = "--import-collection", paramLabel = "PATH")
    private String imports = DEFAULTS.importCollection();

    @Option(names = "--shards", paramLabel = "N")
    private int shardCount = FirestoreCounterOptions.defaults().shards();

    /**
     * Returns the options of the backend.
     *
     * @throws IllegalArgumentException if one is invalid
     */
    FirestoreCounterOptions options() {
        FirestoreCounterOptions.Builder options = FirestoreCounterOptions.builder();
        if (isFlat) {
            options.flatShards();
        }
        return options.counterCollection(counters)
                .shardCollection(shards)
                .countField(countField)
                .shardCountField(shardCountField)
                .sequenceCollection(sequences)
                .tokenCollection(tokens)
                .importCollection(imports)
                .shards(shardCount)
                .build();
    }
}
