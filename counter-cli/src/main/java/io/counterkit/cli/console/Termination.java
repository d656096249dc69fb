package io.counterkit.cli.console;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the process does when it is told to end, by Ctrl-C or otherwise: the first time it says what the command is
 * finishing, the second time it ends at once. Without the JVM's own shutdown, during which a store may no longer be
 * written, and which can be asked for once only. Thread-safe.
 */
public final class Termination {
    /** A signal that comes again so soon is the same one: some programs send it to a process and to its group. */
    private static final long SAME = TimeUnit.MILLISECONDS.toNanos(300);

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

    /** Hears of Ctrl-C, of {@code kill} and of the end of the terminal from now on. */
    public void install() {
        List.of("INT", "TERM", "HUP").forEach(this::install);
    }

    /** By reflection: javac warns of the only type that the JDK has for it in a way that cannot be suppressed. */
    private void install(String name) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object telling = Proxy.newProxyInstance(
                    Termination.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, args) -> heard());
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), telling);
        } catch (ReflectiveOperationException e) {
            // This system or this JVM has no such signal to hear of: then it ends the process, as it does elsewhere.
        }
    }

    private @Nullable Object heard() {
        told();
        return null;
    }

    /** The process was told to end. */
    synchronized void told() {
        String unfinished = interrupt.unfinished();
        if (!interrupt.isRequested()) {
            firstAt = nanoTime.getAsLong();
            interrupt.request();
            if (unfinished != null) {
                say("interrupted: finishing " + unfinished + "; Ctrl-C again ends it at once");
            }
        } else if (nanoTime.getAsLong() - firstAt >= SAME) {
            say("ended at once" + (unfinished == null ? "" : ", without finishing " + unfinished));
            halt.accept(Interrupt.EXIT_CODE);
        }
    }

    private void say(String message) {
        console.err().println((console.columns() == 0 ? "" : Progress.ERASE) + "counter: " + message);
        console.err().flush();
    }
}
