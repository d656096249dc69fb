package io.counterkit.cli.backend;

import io.counterkit.NotAppliedException;
import java.util.function.Predicate;
import picocli.CommandLine.Command;

/**
 * A backend that commands can run on, found with {@link java.util.ServiceLoader}: the implementation is public, and its
 * public constructor without arguments does nothing.
 *
 * <p>Its fields and methods with picocli's {@link picocli.CommandLine.Option} become options of every command. They are
 * set before {@link #open} is called, and are refused with a backend that lacks them; backends that share an option
 * declare it alike. Load the classes of the store's client in {@code open}, so that help needs none of them.
 */
public interface BackendFactory {
    /** Returns the name that chooses the backend: {@code --backend inmemory}. Default: that of its {@link Command}. */
    default String name() {
        return getClass().getAnnotation(Command.class).name();
    }

    /** Returns one line for the help. Default: the header of its {@link Command}. */
    default String description() {
        return getClass().getAnnotation(Command.class).header()[0];
    }

    /**
     * Returns whether an option that both ends of a migration have can apply to this end. If not, it applies only to
     * the other one.
     *
     * @param isGiven whether an option of this end is given
     */
    default boolean takes(String option, Predicate<String> isGiven) {
        return true;
    }

    /** Returns whether the store, with the options as they are set, keeps changes after the command has ended. */
    default boolean keeps() {
        return true;
    }

    /**
     * Returns whether a change survives a kill of this process once it is acknowledged, if opened for
     * {@link Opening#BULK}.
     */
    default boolean isDurable() {
        return keeps();
    }

    /** Returns whether the opened backend, with the options as they are set, has {@link OpenBackend#faults()}. */
    default boolean hasFaults() {
        return false;
    }

    /** What a backend is opened for. */
    enum Opening {
        /** Many changes; {@link #isDurable} tells whether each survives a kill of this process. */
        BULK,

        /** Changes that each survive a kill of this process once they are acknowledged. */
        DURABLE,

        /** Reads, and changes of what exists: nothing is created, and a store that does not exist yet is empty. */
        READING,

        /** The source of a migration, which must exist, and where each change survives a kill of this process. */
        SOURCE
    }

    /**
     * Opens the backend. Changes nothing if the store cannot be used.
     *
     * @throws IllegalArgumentException if an option is invalid, or the store that it names cannot be used; the message
     *     is for the user
     * @throws NotAppliedException if the store cannot be used now; the message is for the user
     */
    OpenBackend open(Opening opening);
}
