package io.counterkit.spi;

import io.counterkit.Seal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store holds under a name, at one moment.
 *
 * @param isPresent whether there is a counter, or a sequence with entries; once sealed it stays as it was then
 * @param seal the seal, or null
 * @param sealedAt when it was sealed by the store's clock; null where it is not
 */
public record NameState(
        boolean isPresent, @Nullable Seal seal, @Nullable Instant sealedAt) {}
