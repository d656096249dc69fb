package io.counterkit.migration;

import io.counterkit.Seal;
import io.counterkit.spi.Base;
import io.counterkit.spi.Origin;
import java.util.function.Consumer;

/** Compares the seal of a name with what the target began with. */
final class BaseCheck {
    private BaseCheck() {}

    /** Whether the two fit; if not, says each thing that does not. */
    static boolean isFit(Origin.Kind kind, Standing standing, MigrationOptions options, Consumer<String> differ) {
        Seal seal = standing.source().seal();
        Base base = standing.base();
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
        if (kind == Origin.Kind.SEQUENCE && base.last() != seal.last()) {
            differ.accept(
                    "the source was sealed at last number " + seal.last() + ", and the target began at " + base.last());
        }
        if (base.value() != seal.liveCount()) {
            String what = kind == Origin.Kind.COUNTER ? "total " : "live count ";
            differ.accept("the source was sealed at " + what + seal.liveCount() + ", and the target began at "
                    + base.value());
        }
        return true;
    }
}
