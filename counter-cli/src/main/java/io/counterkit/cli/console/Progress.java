package io.counterkit.cli.console;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The last line of a terminal, which tells how far the command is. Nothing where there is no terminal. */
public final class Progress {
    private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
    static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final LongSupplier nanoTime;
    private long drawnAt;
    private boolean drawn;

    /** Progress on this console's error stream, drawn ten times a second by this clock. */
    public Progress(Console console, LongSupplier nanoTime) {
        this.console = console;
        this.nanoTime = nanoTime;
        this.drawnAt = nanoTime.getAsLong();
    }

    /** Shows the line if it is time to; otherwise it is not even made. */
    public void show(Supplier<String> line) {
        if (console.columns() == 0 || nanoTime.getAsLong() - drawnAt < INTERVAL) {
            return;
        }
        drawnAt = nanoTime.getAsLong();
        String text = line.get();
        console.err().print(ERASE + text.substring(0, Math.min(text.length(), console.columns() - 1)));
        console.err().flush();
        drawn = true;
    }

    /** Says something that stays. */
    public void say(String message) {
        clear();
        console.err().println("counter: " + message);
    }

    /** Takes the line away. */
    public void clear() {
        if (drawn) {
            console.err().print(ERASE);
            console.err().flush();
            drawn = false;
        }
    }
}
