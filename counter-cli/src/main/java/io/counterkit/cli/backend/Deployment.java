package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.cli.console.Json;
import java.util.List;

/** What a store needs besides what its backend writes, such as indexes that someone has to deploy. */
public interface Deployment {
    /**
     * Checks what is deployed.
     *
     * @throws NotAppliedException if the store could not be read
     */
    Findings check();

    /**
     * What a check has found.
     *
     * @param isComplete whether nothing is known to be missing
     * @param lines for people
     * @param json the same for programs
     */
    record Findings(boolean isComplete, List<String> lines, Json json) {
        public Findings {
            lines = List.copyOf(lines);
        }
    }
}
