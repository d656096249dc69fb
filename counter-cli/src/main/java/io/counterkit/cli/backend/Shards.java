package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.cli.console.Json;
import java.util.List;

/** The shards of counters, on a backend that has them. */
public interface Shards {
    /**
     * Describes the shards of a counter.
     *
     * @throws NotAppliedException if the store could not be read
     */
    Description describe(String counter);

    /**
     * Changes the number of shards of a counter that may be in use. Can be repeated.
     *
     * @throws IllegalArgumentException if a counter cannot have so many shards
     * @throws NotAppliedException if there is no such counter, or nothing was changed
     * @throws OutcomeUnknownException if the store did not reply; the total is right in any case
     */
    void reshard(String counter, int shards);

    /**
     * The description of the shards of a counter.
     *
     * @param lines the lines after the total, for people
     * @param json the same for programs
     */
    record Description(List<String> lines, Json json) {
        public Description {
            lines = List.copyOf(lines);
        }
    }
}
