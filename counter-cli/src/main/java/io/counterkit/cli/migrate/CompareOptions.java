package io.counterkit.cli.migrate;

import io.counterkit.migration.VerificationOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** What is compared. */
final class CompareOptions {
    @Option(
            names = "--all-entries",
            description = "With --verify: compare every entry of every sequence, instead of some of each.")
    private boolean allEntries;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "With --verify: compare N entries of each sequence, besides those at its ends. Default: 20.")
    private @Nullable Integer samples;

    @Option(
            names = "--quiet-target",
            description =
                    "With --verify: nothing was added at the target since, so that totals and last numbers have to"
                            + " be the same.")
    private boolean quietTarget;

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if one makes no sense, or nothing is compared at all
     */
    void check(boolean verify, CommandSpec command) {
        for (String option : List.of("--all-entries", "--samples", "--quiet-target")) {
            if (!verify && command.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(option + " is about --verify: add that, or leave it out");
            }
        }
        if (allEntries && samples != null) {
            throw new IllegalArgumentException("--samples does not go together with --all-entries");
        }
        if (samples != null && samples < 0) {
            throw new IllegalArgumentException("--samples " + samples + ": use 0 or more");
        }
    }

    /** The same for a verifier. */
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
