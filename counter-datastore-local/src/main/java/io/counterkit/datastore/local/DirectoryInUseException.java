package io.counterkit.datastore.local;

import java.nio.file.Path;

/** Thrown if another process holds the directory, or this process already does. Nothing was changed. */
public final class DirectoryInUseException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String directory;
    private final String holder;

    /**
     * Creates the exception.
     *
     * @param holder which process holds the directory, as {@link #holder()} returns it
     */
    public DirectoryInUseException(Path directory, String holder) {
        super("another process is using " + directory + holder
                + ": wait until it has ended, or choose another directory");
        this.directory = directory.toString();
        this.holder = holder;
    }

    /** Returns the directory. */
    public String directory() {
        return directory;
    }

    /** Returns which process holds the directory, as " (process 17, begun …)"; empty if that is not known. */
    public String holder() {
        return holder;
    }
}
