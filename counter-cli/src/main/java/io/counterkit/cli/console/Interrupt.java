package io.counterkit.cli.console;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks a running command to end early. Thread-safe. */
public final class Interrupt {
    /** The exit code of an interrupted command, as in shells. */
    public static final int EXIT_CODE = 130;

    private volatile boolean isRequested;
    private volatile Supplier<@Nullable String> unfinished = () -> null;

    /** Asks the command to start no more work, to finish the work in progress, and to report. */
    public void request() {
        isRequested = true;
    }

    /** Returns whether the command is asked to end. */
    public boolean isRequested() {
        return isRequested;
    }

    /**
     * Sets what the command finishes after an interrupt.
     *
     * @param what returns a description for the user, or null for nothing; called on another thread
     */
    public void finishing(Supplier<@Nullable String> what) {
        unfinished = what;
    }

    /** Returns what the command is finishing; null for nothing. */
    @Nullable String unfinished() {
        return unfinished.get();
    }
}
