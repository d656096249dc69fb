package io.counterkit.migration.internal.routing;

import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one name.
 *
 * @param source the state of the name at the source
 * @param base the state that was imported at the target, or null
 */
public record MoveStatus(NameState source, @Nullable ImportedState base) {
    /** Returns whether the name is sealed and imported. */
    public boolean isMoved() {
        return source.seal() != null && base != null;
    }
}
