package io.counterkit.cli.backend;

import io.counterkit.cli.console.Json;
import java.util.List;

/**
 * What a backend tells of a counter.
 *
 * @param lines for people, shown beneath the total of the counter
 * @param json the same for programs
 */
public record Description(List<String> lines, Json json) {
    public Description {
        lines = List.copyOf(lines);
    }
}
