package io.counterkit.datastore.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * The local Datastore could not write what was changed, and answers nothing any more. No {@link IllegalStateException},
 * which App Engine's API throws for reasons that go away when a call is tried again.
 */
final class StoppedException extends RuntimeException {
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

    /** The file that could not be written. */
    String file() {
        return file;
    }

    /** Why the file could not be written. */
    String reason() {
        return reason;
    }

    /** Says in the user's words what an exception of the file system means; some hold nothing but the name of a file. */
    static String reason(Throwable cause) {
        if (cause instanceof AccessDeniedException denied) {
            return "no permission for " + denied.getFile();
        }
        if (cause instanceof FileAlreadyExistsException file) {
            return file.getFile() + " is no directory";
        }
        return cause instanceof IOException && cause.getMessage() != null ? cause.getMessage() : cause.toString();
    }

    /** The message: the backend puts this text into its own messages, where a class name helps no user. */
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return String.valueOf(getMessage());
    }
}
