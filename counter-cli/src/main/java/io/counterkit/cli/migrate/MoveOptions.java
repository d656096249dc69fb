package io.counterkit.cli.migrate;

import io.counterkit.Ramp;
import io.counterkit.migration.MigrationJobOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** How names are moved. */
final class MoveOptions {
    @Option(names = "--dry-run", description = "Change nothing: say what there is to move.")
    private boolean dryRun;

    @Option(
            names = "--copy-entries",
            description =
                    "Copy the entries of sequences too. Without, they are read from the source, which has to stay.")
    private boolean copyEntries;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Write at most N names and entries a second to the target.")
    private @Nullable Double rate;

    @Option(
            names = "--ramp",
            negatable = true,
            description = "Begin with 500 writes a second, and go up by half every 5 minutes, as Firestore asks of bulk"
                    + " work; or do not. Default: on a real Firestore only.")
    private @Nullable Boolean ramp;

    @Option(names = "--in-flight", paramLabel = "N", description = "How many names are moved at once, from 1 to 100.")
    private @Nullable Integer inFlight;

    boolean isDryRun() {
        return dryRun;
    }

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if one makes no sense, or nothing is moved at all
     */
    void check(boolean verify, CommandSpec command) {
        for (String option : List.of("--dry-run", "--copy-entries", "--rate", "--ramp")) {
            boolean isGiven = command.commandLine().getParseResult().hasMatchedOption(option);
            if (verify && isGiven && !option.equals("--copy-entries")) {
                throw new IllegalArgumentException(option + " does not go together with --verify, which moves nothing");
            }
        }
        if (rate != null && !(rate > 0)) {
            throw new IllegalArgumentException("--rate " + rate + ": use more than 0");
        }
        if (inFlight != null && (inFlight < 1 || inFlight > 100)) {
            throw new IllegalArgumentException("--in-flight " + inFlight + ": use 1 to 100");
        }
    }

    boolean copiesEntries() {
        return copyEntries;
    }

    /** The same for a job. */
    MigrationJobOptions.Builder options(String prefix, @Nullable Ramp ofStore) {
        boolean isRamped = ramp == null ? ofStore != null : ramp;
        Ramp pace = !isRamped ? Ramp.unlimited() : ofStore == null ? Ramp.recommended() : ofStore;
        MigrationJobOptions.Builder options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(copyEntries)
                .dryRun(dryRun)
                .ramp(rate == null ? pace : pace.atMost(rate));
        return inFlight == null ? options : options.inFlight(inFlight);
    }
}
