package io.counterkit.migration.internal.routing;

import io.counterkit.Seal;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import java.util.function.Consumer;

/** Compares the seal of a name with the state that was imported. */
public final class ImportCheck {
    private ImportCheck() {}

    /** Reports each difference. Returns whether the name is sealed by this migration and imported. */
    public static boolean compare(
            ChangeTarget.Kind kind, MoveStatus status, MigrationOptions options, Consumer<String> differences) {
        Seal seal = status.source().seal();
        ImportedState base = status.base();
        if (seal == null) {
            differences.accept("the target was imported, but the source is not sealed");
            return false;
        }
        if (!seal.forward().equals(options.forward())) {
            differences.accept(
                    "the source is sealed for '" + seal.forward() + "', not for '" + options.forward() + "'");
            return false;
        }
        if (base == null) {
            differences.accept("the source is sealed, but nothing was imported: move it again");
            return false;
        }
        if (!base.origin().equals(options.origin())) {
            differences.accept(
                    "the target was imported from '" + base.origin() + "', not from '" + options.origin() + "'");
        }
        if (base.isPresent() != status.source().isPresent()) {
            differences.accept("the source " + (status.source().isPresent() ? "has it" : "does not have it")
                    + ", and the target began " + (base.isPresent() ? "with it" : "without it"));
        }
        long last = kind == ChangeTarget.Kind.SEQUENCE ? seal.last() : 0;
        if (base.last() != last) {
            differences.accept(
                    "the source was sealed at last number " + last + ", and the target began at " + base.last());
        }
        if (base.value() != seal.liveCount()) {
            String what = kind == ChangeTarget.Kind.COUNTER ? "total " : "live count ";
            differences.accept("the source was sealed at " + what + seal.liveCount() + ", and the target began at "
                    + base.value());
        }
        return true;
    }
}
