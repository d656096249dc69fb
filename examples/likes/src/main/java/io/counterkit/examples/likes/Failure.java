package io.counterkit.examples.likes;

import io.counterkit.spi.Reasons;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains in plain words why the application could not start. */
final class Failure {
    private Failure() {}

    /**
     * Returns the reason, or null if it is unexpected and therefore a defect.
     *
     * @param port the port that the application was to listen on
     */
    static @Nullable String inWords(Throwable failure, int port) {
        List<Throwable> causes = Reasons.chain(failure).toList();
        for (Throwable cause : causes) {
            if (cause instanceof BindException) {
                return "port " + port + " is taken; choose another with --port, or any free one with --port 0";
            }
            if (cause instanceof FileSystemException e) {
                return e.getFile() + " cannot be used; choose another with --file or --data";
            }
        }
        for (Throwable cause : causes) {
            if (isForPeople(cause) && cause.getMessage() != null) {
                return cause.getMessage();
            }
        }
        return null;
    }

    /** Messages of CounterKit and of this application are written for people. */
    private static boolean isForPeople(Throwable cause) {
        return cause.getClass().getName().startsWith("io.counterkit.")
                || cause instanceof IllegalStateException
                || cause instanceof IllegalArgumentException;
    }
}
