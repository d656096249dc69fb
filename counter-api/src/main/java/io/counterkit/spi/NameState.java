package io.counterkit.spi;

import io.counterkit.Seal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store holds under a name, at one moment.
 *
 * @param isPresent whether there is a counter, or a sequence with entries; once sealed it stays as it was then
 * @param seal the seal, or null
 * @param sealedAt when it was sealed, by the clock of the store where it has one, or else of the process that sealed it; for
 *     people to read, not to compute ages with. Null where it is not sealed
 */
public record NameState(
        boolean isPresent, @Nullable Seal seal, @Nullable Instant sealedAt) {}
