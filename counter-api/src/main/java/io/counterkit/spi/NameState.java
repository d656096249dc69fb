package io.counterkit.spi;

import io.counterkit.Seal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a name in a store, at one moment.
 *
 * @param isPresent whether there is a counter, or a sequence with entries; does not change after the seal
 * @param seal the seal, or null
 * @param sealedAt the time of the seal, by the clock of the store or else of the process that sealed. It is for
 *     display, and not for computing ages. Null without a seal
 */
public record NameState(
        boolean isPresent, @Nullable Seal seal, @Nullable Instant sealedAt) {}
