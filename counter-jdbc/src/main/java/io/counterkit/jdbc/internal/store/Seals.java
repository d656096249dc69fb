package io.counterkit.jdbc.internal.store;

import io.counterkit.Seal;
import io.counterkit.SealedException;
import org.jspecify.annotations.Nullable;

/** Checks the stored seal of a name after it was sealed. */
final class Seals {
    private Seals() {}

    /** Returns the seal, which may be an earlier one, if it has this address. */
    static Seal check(String name, String forward, @Nullable Seal stored) {
        if (stored == null) {
            throw new SkippedRowsException();
        }
        if (!stored.forward().equals(forward)) {
            throw new SealedException(name, stored);
        }
        return stored;
    }
}
