package io.counterkit.cli.backend;

import com.google.inject.Module;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.CounterBackend;

/**
 * A backend that the command line can run on. Found with {@link java.util.ServiceLoader}: the implementation is public,
 * has a public constructor without arguments, and does nothing before {@link #module()}.
 *
 * <p>Its fields and methods with picocli's {@link picocli.CommandLine.Option} become options of every command, shown in
 * a part of the help of their own, and are set before {@link #module()} is called. Name them as no other backend does.
 * Used with another backend they are refused. Classes of the store's client are best left to the module, so that they
 * are not loaded for the sake of the help.
 */
public interface BackendFactory {
    /** What the user says to get it: {@code --backend inmemory}. */
    String name();

    /** One line for the help. */
    String description();

    /**
     * Whether what is written is there after the command, with the options as they are set. What could not be made again
     * is not moved to a store that forgets it.
     */
    default boolean keeps() {
        return true;
    }

    /**
     * Binds {@link CounterBackend}, and where there is one {@link FaultSource}, {@link Describer}, {@link Resharder},
     * {@link io.counterkit.RampUpLimiter}, {@link HeldResources} and {@link Notice}. Each is asked for once.
     *
     * @throws IllegalArgumentException if the options do not make sense; the message is for the user. Also a provider
     *     may throw it
     * @throws NotAppliedException if the store cannot be reached; the message is for the user. Also a provider may throw
     *     it
     */
    Module module();

    /**
     * As {@link #module()}, for commands that rely on what is acknowledged before they end: what the store has
     * acknowledged is there also if this process is killed or the store fails later. A single call prints its answer, and
     * the target of a migration relies on a seal as soon as it is read.
     */
    default Module durableModule() {
        return module();
    }
}
