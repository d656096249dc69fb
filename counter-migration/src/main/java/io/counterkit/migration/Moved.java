package io.counterkit.migration;

import io.counterkit.spi.Base;
import java.time.Instant;

/**
 * That a name is sealed at the source and imported at the target. It never changes, so it may be remembered.
 *
 * @param base what the target began with
 * @param sealedAt when the source was sealed, by its clock
 */
record Moved(Base base, Instant sealedAt) {}
