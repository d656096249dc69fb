package io.counterkit.examples.likes;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The logs of what is below, which tell in many lines what the page tells in one. */
final class Quiet {
    /** Held here, since the log manager forgets a logger that nobody holds, and its level with it. */
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("com.google"), Logger.getLogger("io.grpc"), Logger.getLogger("io.opentelemetry"));

    private Quiet() {}

    /** Keeps to what is severe, unless this JVM was told how to log. */
    static void begin() {
        if (System.getProperty("java.util.logging.config.file") == null) {
            LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
        }
    }
}
