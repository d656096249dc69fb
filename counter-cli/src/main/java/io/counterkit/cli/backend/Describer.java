package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;

/** Tells of a counter what only its backend knows, such as the shards that it is spread over. */
public interface Describer {
    /**
     * What is stored of this counter.
     *
     * @throws NotAppliedException if the store could not be read
     */
    Description describe(String counter);
}
