package io.counterkit.inmemory.internal.store;

import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.NameState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A counter or sequence: its name, its seal, and the state that it was imported with. Each method is one atomic step.
 */
public abstract sealed class StoredName permits CounterCell, Chain {
    final String name;
    private final NameTable<?> table;
    private @Nullable ImportedState base;
    private volatile @Nullable Seal seal;
    private @Nullable Instant sealedAt;

    StoredName(String name, NameTable<?> table) {
        this.name = name;
        this.table = table;
    }

    /** Returns whether the counter exists or the sequence has entries. Does not change after the seal. */
    abstract boolean isPresent();

    /** Returns the seal with the final state, and refuses all later changes. */
    abstract Seal close(String forward);

    /** Starts with the imported state. */
    abstract void startWith(ImportedState imported);

    /** Returns whether listings show the name. */
    abstract boolean isListed();

    /** Adds the name to the listing, or removes it. Called whenever {@link #isListed} changes. */
    final synchronized void updateListing() {
        table.setListed(name, isListed());
    }

    final void checkOpen() {
        Seal found = seal;
        if (found != null) {
            throw new SealedException(name, found);
        }
    }

    /** Seals the name. Does nothing if its seal has the same address. */
    final synchronized void seal(String forward, Instant now) {
        Seal found = seal;
        if (found == null) {
            seal = close(forward);
            sealedAt = now;
            updateListing();
        } else if (!found.forward().equals(forward)) {
            throw new SealedException(name, found);
        }
    }

    final @Nullable Seal seal() {
        return seal;
    }

    /** Returns the state of the name. */
    public final synchronized NameState state() {
        return new NameState(isPresent(), seal, sealedAt);
    }

    /** Imports a state under an absent name. If the name was imported before, returns the state of that import. */
    public final synchronized ImportedState importBase(ImportedState imported) {
        if (base == null) {
            if (isPresent() || seal != null) {
                throw new NotAppliedException("import of '" + name + "' from '" + imported.origin()
                        + "': the name is in use here and was not imported; import it to another store");
            }
            base = imported;
            startWith(imported);
            updateListing();
        }
        return base;
    }

    /** Returns the state that the name was imported with, or null. */
    public final synchronized @Nullable ImportedState base() {
        return base;
    }
}
