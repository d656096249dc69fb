package io.counterkit.cli.console;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shows progress in the last line of a terminal; shows nothing without a terminal. */
public final class Progress {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    static final String ERASE = "\r\u001b[K";

    private final Console console;
    private final LongSupplier nanoTime;
    private final long start;
    private long drawnAt;
    private boolean isDrawn;

    /**
     * Creates progress on the error stream of {@code console}, drawn ten times a second by the clock {@code nanoTime}.
     */
    public Progress(Console console, LongSupplier nanoTime) {
        this.console = console;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.drawnAt = start;
    }

    /** Shows the line that {@code line} returns, if one is due; otherwise does not call it. */
    public void show(Supplier<String> line) {
        if (console.columns() == 0 || nanoTime.getAsLong() - drawnAt < INTERVAL_NANOS) {
            return;
        }
        drawnAt = nanoTime.getAsLong();
        String text = line.get();
        draw(text.substring(0, Math.min(text.length(), console.columns() - 1)));
        isDrawn = true;
    }

    private void draw(String text) {
        synchronized (console.err()) { // shows nothing after the last message of Termination
            console.err().print(ERASE + text);
        }
    }

    /** Returns the time since this was created. */
    public long nanos() {
        return nanoTime.getAsLong() - start;
    }

    /** Prints a message above the progress. */
    public void say(String message) {
        clear();
        console.say(message);
    }

    /** Erases the progress. */
    public void clear() {
        if (isDrawn) {
            draw("");
            isDrawn = false;
        }
    }
}
