package io.counterkit.cli.migrate;

import static io.counterkit.cli.console.Arguments.check;

import io.counterkit.RampUpLimiter;
import io.counterkit.migration.MigrationJobOptions;
import io.counterkit.migration.VerificationOptions;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of a move, and of a comparison. */
final class MoveOptions {
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,4})/([0-9]{1,4})");

    @Option(names = "--dry-run")
    boolean dryRun;

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

    /** Whether both sides are compared, and nothing is moved. */
    @Option(names = "--verify")
    boolean verify;

    @Option(names = "--all-entries")
    private boolean allEntries;

    @Option(names = "--samples", paramLabel = "N")
    private @Nullable Integer samples;

    @Option(names = "--quiet-target")
    private boolean quietTarget;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if an option is invalid, or if an option of a move is given for a comparison or
     *     the reverse
     */
    void checkAll(ParseResult parsed) {
        for (String option : List.of("--dry-run", "--rate", "--ramp", "--share", "--in-flight")) {
            check(
                    !verify || !parsed.hasMatchedOption(option),
                    option + " cannot be combined with --verify, which moves nothing");
        }
        check(rate == null || rate > 0, "--rate " + rate + ": use more than 0");
        if (inFlight != null) {
            Limits.checkBetween("--in-flight", inFlight, 1, 100);
        }
        MigrationJobOptions.Builder unused = job("", null); // checks the rest before a store is opened
        for (String option : List.of("--all-entries", "--samples", "--quiet-target")) {
            check(verify || !parsed.hasMatchedOption(option), option + " needs --verify: add it, or omit " + option);
        }
        check(!allEntries || samples == null, "--samples cannot be combined with --all-entries");
        if (samples != null) {
            Limits.checkAtLeast("--samples", samples, 0);
        }
    }

    /** Returns the options of the job. */
    MigrationJobOptions.Builder job(String prefix, @Nullable RampUpLimiter ofStore) {
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
            check(parts.matches(), "--share " + share + ": use 1/4, 2/4 and so on");
            options.share(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
        }
        return inFlight == null ? options : options.inFlight(inFlight);
    }

    /** Returns the options of the verifier. */
    VerificationOptions.Builder verifier(String prefix) {
        VerificationOptions.Builder options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(copyEntries)
                .quietTarget(quietTarget);
        if (allEntries) {
            options.allEntries();
        }
        return samples == null ? options : options.samples(samples);
    }
}
