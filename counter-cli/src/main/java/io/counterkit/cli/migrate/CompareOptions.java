package io.counterkit.cli.migrate;

import io.counterkit.migration.VerificationOptions;
import io.counterkit.spi.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of a comparison. */
final class CompareOptions {
    @Option(names = "--all-entries")
    private boolean allEntries;

    @Option(names = "--samples", paramLabel = "N")
    private @Nullable Integer samples;

    @Option(names = "--quiet-target")
    private boolean quietTarget;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if one is invalid, or is given without {@code verify}
     */
    void check(boolean verify, CommandSpec command) {
        for (String option : List.of("--all-entries", "--samples", "--quiet-target")) {
            if (!verify && command.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(option + " needs --verify: add it, or omit " + option);
            }
        }
        if (allEntries && samples != null) {
            throw new IllegalArgumentException("--samples does not go together with --all-entries");
        }
        if (samples != null) {
            Limits.checkAtLeast("--samples", samples, 0);
        }
    }

    /** Returns the options of the verifier. */
    VerificationOptions.Builder options(String prefix, boolean copiedEntries) {
        VerificationOptions.Builder options = VerificationOptions.builder()
                .prefix(prefix)
                .copiedEntries(copiedEntries)
                .quietTarget(quietTarget);
        if (allEntries) {
            options.allEntries();
        }
        return samples == null ? options : options.samples(samples);
    }
}
