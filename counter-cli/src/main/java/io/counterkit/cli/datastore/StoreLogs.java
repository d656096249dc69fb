package io.counterkit.cli.datastore;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The logs of the local Datastore, which tells of its start and of each conflict. */
final class StoreLogs {
    /** Held here, since the log manager forgets a logger that nobody holds, and its level with it. */
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("com.google.appengine"), Logger.getLogger("com.google.apphosting"));

    private StoreLogs() {}

    /** Keeps to what is severe, unless this JVM was told how to log. */
    static void hush() {
        if (System.getProperty("java.util.logging.config.file") == null) {
            LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
        }
    }
}
