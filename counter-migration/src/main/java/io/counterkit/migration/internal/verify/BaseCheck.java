package io.counterkit.migration.internal.verify;

import io.counterkit.Seal;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.internal.routing.MoveStatus;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.function.Consumer;

/** Compares the seal of a name with what the target began with. */
public final class BaseCheck {
    private BaseCheck() {}

    /** Whether the two fit; if not, says each thing that does not. */
    public static boolean isFit(
            ChangeTarget.Kind kind, MoveStatus standing, MigrationOptions options, Consumer<String> differ) {
        Seal seal = standing.source().seal();
        ImportedState base = standing.base();
        if (seal == null) {
            differ.accept("the target was imported, but the source is not sealed");
            return false;
        }
        if (!seal.forward().equals(options.forward())) {
            differ.accept("the source is sealed for '" + seal.forward() + "', not for '" + options.forward() + "'");
            return false;
        }
        if (base == null) {
            differ.accept("the source is sealed, but nothing was imported: move it again");
            return false;
        }
        if (!base.origin().equals(options.origin())) {
            differ.accept("the target was imported from '" + base.origin() + "', not from '" + options.origin() + "'");
        }
        if (base.isPresent() != standing.source().isPresent()) {
            differ.accept("the source " + (standing.source().isPresent() ? "has it" : "does not have it")
                    + ", and the target " + (base.isPresent() ? "began with it" : "began without it"));
        }
        if (kind == ChangeTarget.Kind.SEQUENCE && base.last() != seal.last()) {
            differ.accept(
                    "the source was sealed at last number " + seal.last() + ", and the target began at " + base.last());
        }
        if (base.value() != seal.liveCount()) {
            String what = kind == ChangeTarget.Kind.COUNTER ? "total " : "live count ";
            differ.accept("the source was sealed at " + what + seal.liveCount() + ", and the target began at "
                    + base.value());
        }
        return true;
    }
}
