package io.counterkit.firestore;

import java.util.List;

/**
 * States which parts of {@code firestore.indexes.json} are deployed in a database, as far as reads can show it.
 *
 * @param findings one for each part of the file
 */
public record DeploymentReport(List<Finding> findings) {
    public DeploymentReport {
        findings = List.copyOf(findings);
    }

    /** Whether a part is deployed. */
    public enum State {
        /** The part is deployed. */
        PRESENT,
        /** The part is not deployed. */
        MISSING,
        /** Reads cannot show whether the part is deployed. */
        UNSEEN
    }

    /**
     * The state of one part of the file.
     *
     * @param state whether it is deployed
     * @param what the part, in words
     * @param effect the cost to the application while the part is missing; for {@link State#UNSEEN} also why it is
     *     unseen
     * @param commands the commands that deploy the part, or that show it if it is unseen; empty if it is present
     */
    public record Finding(State state, String what, String effect, List<String> commands) {
        public Finding {
            commands = List.copyOf(commands);
        }
    }

    /** Returns the parts that are not deployed. */
    public List<Finding> missing() {
        return findings.stream()
                .filter(finding -> finding.state() == State.MISSING)
                .toList();
    }
}
