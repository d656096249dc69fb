package io.counterkit.migration.internal.verify;

import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.util.Optional;

/** The state of a name at both stores. */
public record StatePair(NameState source, NameState target, Optional<ImportedState> base) {
    /** Returns the state at the source, and the state that was imported at the target. */
    public MoveStatus status() {
        return new MoveStatus(source, base.orElse(null));
    }

    /** Returns whether the name may have moved between the reads. */
    public boolean isMoving() {
        return source.seal() != null ? base.isEmpty() : base.isPresent() || (source.isPresent() && target.isPresent());
    }

    /** Returns whether the source lists the name. */
    public boolean isListedAtSource(ChangeTarget.Kind kind) {
        return source.isPresent() || (source.seal() != null && kind == ChangeTarget.Kind.SEQUENCE);
    }
}
