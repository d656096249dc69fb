package io.counterkit.cli.migrate;

import io.counterkit.RampUpLimiter;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a move. */
final class MoveOptions {
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,4})/([0-9]{1,4})");

    @Option(names = "--dry-run")
    private boolean dryRun;

    @Option(names = "--copy-entries")
    private boolean copyEntries;

    @Option(names = "--rate", paramLabel = "N")
    private @Nullable Double rate;

    @Option(names = "--ramp", negatable = true)
    private @Nullable Boolean ramp;

    @Option(names = "--in-flight", paramLabel = "N")
    private @Nullable Integer inFlight;

    @Option(names = "--share", paramLabel = "I/N")
    private @Nullable String share;

    boolean isDryRun() {
        return dryRun;
    }

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if one is invalid, or is given with {@code verify}
     */
    void check(boolean verify, CommandSpec command) {
        for (String option : List.of("--dry-run", "--rate", "--ramp", "--share", "--in-flight")) {
            boolean isGiven = command.commandLine().getParseResult().hasMatchedOption(option);
            if (verify && isGiven) {
                throw new IllegalArgumentException(option + " does not go together with --verify, which moves nothing");
            }
        }
        if (rate != null && !(rate > 0)) {
            throw new IllegalArgumentException("--rate " + rate + ": use more than 0");
        }
        if (share != null && !SHARE.matcher(share).matches()) {
            throw new IllegalArgumentException("--share " + share + ": use 1/4, 2/4 and so on");
        }
        if (inFlight != null) {
            Limits.checkBetween("--in-flight", inFlight, 1, 100);
        }
        MigrationJobOptions.Builder unused = options("", null); // checks the rest before a store is opened
    }

    boolean copiesEntries() {
        return copyEntries;
    }

    /** Returns the options of the job. */
    MigrationJobOptions.Builder options(String prefix, @Nullable RampUpLimiter ofStore) {
        boolean isRamped = ramp == null ? ofStore != null : ramp;
        RampUpLimiter pace =
                !isRamped ? RampUpLimiter.unlimited() : ofStore == null ? RampUpLimiter.recommended() : ofStore;
        MigrationJobOptions.Builder options = MigrationJobOptions.builder()
                .prefix(prefix)
                .copyEntries(copyEntries)
                .dryRun(dryRun)
                .ramp(rate == null ? pace : pace.atMost(rate));
        if (share != null) {
            Matcher parts = SHARE.matcher(share);
            if (parts.matches()) {
                options.share(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
            }
        }
        return inFlight == null ? options : options.inFlight(inFlight);
    }
}
