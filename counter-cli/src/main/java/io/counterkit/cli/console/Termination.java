package io.counterkit.cli.console;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/**
 * Handles Ctrl-C and the other signals that end a process: the first one asks the command to finish, the second one
 * ends the process at once. Replaces the JVM's own shutdown, which closes stores too early and cannot be requested
 * twice. Thread-safe.
 */
public final class Termination {
    /** A signal that repeats this soon is the same one: some programs send it to a process and to its group. */
    private static final long SAME_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Console console;
    private final Interrupt interrupt;
    private final LongSupplier nanoTime;
    private final IntConsumer halt;
    private long firstAt;

    /**
     * @param halt ends the process with an exit code
     */
    public Termination(Console console, Interrupt interrupt, LongSupplier nanoTime, IntConsumer halt) {
        this.console = console;
        this.interrupt = interrupt;
        this.nanoTime = nanoTime;
        this.halt = halt;
    }

    /** Handles Ctrl-C, {@code kill} and the end of the terminal from now on. */
    public void install() {
        List.of("INT", "TERM", "HUP").forEach(this::install);
    }

    /** Uses reflection, since javac warns of the JDK's only type for signals in a way that cannot be suppressed. */
    private void install(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    Termination.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> {
                        terminate();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
        } catch (ReflectiveOperationException e) {
            // This system or JVM cannot handle the signal, which then ends the process as usual.
        }
    }

    /** Handles one signal. */
    synchronized void terminate() {
        String unfinished = interrupt.unfinished();
        if (!interrupt.isRequested()) {
            firstAt = nanoTime.getAsLong();
            interrupt.request();
            if (unfinished != null) {
                say("interrupted: finishing " + unfinished + "; press Ctrl-C again to end at once");
            }
        } else if (nanoTime.getAsLong() - firstAt >= SAME_NANOS) {
            synchronized (console.err()) { // so that progress is not shown after it
                say("ended at once" + (unfinished == null ? "" : ", without finishing " + unfinished));
                halt.accept(Interrupt.EXIT_CODE);
            }
        }
    }

    private void say(String message) {
        console.err().println((console.columns() == 0 ? "" : Progress.ERASE) + "counter: " + message);
    }
}
