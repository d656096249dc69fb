package io.counterkit.cli.console;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a running command that the user wants it to end. Thread-safe. */
public final class Interrupt {
    /** The exit code of a command that was interrupted, as shells have it. */
    public static final int EXIT_CODE = 130;

    private volatile boolean requested;
    private volatile Supplier<@Nullable String> unfinished = () -> null;

    /** From now on a command takes on nothing more, finishes what it has begun and reports. */
    public void request() {
        requested = true;
    }

    /** Whether that was asked for. */
    public boolean isRequested() {
        return requested;
    }

    /**
     * Says what the command finishes when it is interrupted.
     *
     * @param what for the user, asked at that moment on another thread; null for nothing worth waiting for
     */
    public void finishing(Supplier<@Nullable String> what) {
        unfinished = what;
    }

    /** What is to be finished now; null if nothing is. */
    @Nullable String unfinished() {
        return unfinished.get();
    }
}
