package io.counterkit.cli.console;

/** Tells a running command that the user wants it to end. Thread-safe. */
public final class Interrupt {
    /** The exit code of a command that was interrupted, as shells have it. */
    public static final int EXIT_CODE = 130;

    private volatile boolean requested;

    /** From now on a command takes on nothing more, finishes what it has begun and reports. */
    public void request() {
        requested = true;
    }

    /** Whether that was asked for. */
    public boolean isRequested() {
        return requested;
    }
}
