package io.counterkit.migration.internal.routing;

import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import org.jspecify.annotations.Nullable;

/**
 * How far a name has come.
 *
 * @param source what the source holds
 * @param base what the target began with, or null while nothing was imported
 */
public record MoveStatus(NameState source, @Nullable ImportedState base) {
    /** Whether the name is used at the target, for good. */
    public boolean isMoved() {
        return source.seal() != null && base != null;
    }
}
