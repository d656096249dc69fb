package io.counterkit.datastore.local.internal.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * Thrown by all calls once the local Datastore failed to write a change. This is not an {@link IllegalStateException},
 * which App Engine's API throws for conditions that a retry resolves.
 */
public final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final String reason;

    StoppedException(Path file, Throwable cause) {
        super(
                "the local Datastore stopped because it could not write " + file + " (" + reason(cause)
                        + "): make room or repair the disk, and open it again",
                cause);
        this.file = file.toString();
        this.reason = reason(cause);
    }

    /** Returns the file that could not be written. */
    public String file() {
        return file;
    }

    /** Returns why the file could not be written. */
    public String reason() {
        return reason;
    }

    /** Returns the meaning of an exception of the file system, some of which carry only the name of a file. */
    static String reason(Throwable cause) {
        if (cause instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (cause instanceof FileAlreadyExistsException file) {
            return file.getFile() + " is not a directory";
        }
        return cause instanceof IOException && cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    /** Returns the message alone: backends put this text, without the class name, into their own messages. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }
}
