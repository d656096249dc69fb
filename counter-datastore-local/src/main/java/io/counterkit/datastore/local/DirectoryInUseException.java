package io.counterkit.datastore.local;

import java.nio.file.Path;

/** Another process holds the directory, or this one already does; nothing was changed. */
public final class DirectoryInUseException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String directory;
    private final String holder;

    DirectoryInUseException(Path directory, String holder) {
        super("another process is using " + directory + holder
                + ": wait until it has ended, or choose another directory");
        this.directory = directory.toString();
        this.holder = holder;
    }

    /** The directory. */
    public String directory() {
        return directory;
    }

    /** Who holds it, to be put behind the directory; empty if that is not known. */
    public String holder() {
        return holder;
    }
}
