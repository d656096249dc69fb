package io.counterkit.examples.likes;

import java.net.BindException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why the application could not start, in the words of the person who started it. */
final class Failure {
    private Failure() {}

    /** The reason, or null if it is none that is known: a defect then. */
    static @Nullable String inWords(Throwable failure) {
        List<Throwable> causes =
                Stream.iterate(failure, Objects::nonNull, Throwable::getCause).toList();
        for (Throwable cause : causes) {
            if (cause instanceof BindException) {
                return "the port is taken; choose another with --port, or any that is free with --port 0";
            }
            if (cause instanceof FileSystemException e) {
                return e.getFile() + " cannot be used; choose another directory with --data";
            }
        }
        for (Throwable cause : causes) {
            if (isSaid(cause) && cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return null;
    }

    /** CounterKit, and this application, write their messages for people. */
    private static boolean isSaid(Throwable cause) {
        return cause.getClass().getName().startsWith("io.counterkit.")
                || cause instanceof IllegalStateException
                || cause instanceof IllegalArgumentException;
    }
}
