package io.counterkit.cli.google;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Layout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Counters on Google Cloud Firestore, or on its emulator. */
@Command(name = "firestore", header = "on Google Cloud Firestore, or its emulator")
public final class FirestoreBackendFactory implements BackendFactory {
    private static final Layout DEFAULTS = FirestoreCounterOptions.defaults().layout();

    @Mixin
    private GoogleOptions google = new GoogleOptions(System.getenv("FIRESTORE_EMULATOR_HOST"));

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

    @Override
    public boolean keeps() {
        return !google.isInNewEmulator();
    }

    /** If the environment names an emulator, the client creates its own channel, without interceptors. */
    @Override
    public boolean hasFaults() {
        return google.named == null && google.emulator() != null;
    }

    @Override
    public OpenBackend open(Opening opening) {
        FirestoreCounterOptions.Builder options = FirestoreCounterOptions.builder();
        if (isFlat) {
            options.flatShards();
        }
        options.counterCollection(counters)
                .shardCollection(shards)
                .countField(countField)
                .shardCountField(shardCountField)
                .sequenceCollection(sequences)
                .tokenCollection(tokens)
                .importCollection(imports)
                .shards(shardCount);
        return FirestoreConnection.open(google, options.build(), hasFaults());
    }
}
