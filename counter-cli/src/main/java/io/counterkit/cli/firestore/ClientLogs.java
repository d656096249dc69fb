package io.counterkit.cli.firestore;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The logs of Firestore's client, which tell in many lines what the command tells in one. */
final class ClientLogs {
    /** Held here, since the log manager forgets a logger that nobody holds, and its level with it. */
    private static final List<Logger> LOGGERS = List.of(
            Logger.getLogger("com.google.api"),
            Logger.getLogger("com.google.auth"),
            Logger.getLogger("com.google.cloud"),
            Logger.getLogger("io.grpc"),
            Logger.getLogger("io.opentelemetry"));

    private ClientLogs() {}

    /** Keeps to what is severe, unless this JVM was told how to log. */
    static void hush() {
        if (System.getProperty("java.util.logging.config.file") == null) {
            LOGGERS.forEach(logger -> logger.setLevel(Level.SEVERE));
        }
    }
}
