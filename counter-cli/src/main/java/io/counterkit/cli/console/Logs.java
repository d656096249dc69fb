package io.counterkit.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Silences the logs of the stores' clients, which repeat in many lines what a command reports in one. */
public final class Logs {
    /** Keeps the loggers reachable: the log manager discards unreachable ones with their levels. */
    private static final List<Logger> QUIET = new ArrayList<>();

    private Logs() {}

    /** Logs severe messages only, unless a configuration for logging was given to this JVM. */
    public static synchronized void quiet(String... names) {
        if (System.getProperty("java.util.logging.config.file") == null) {
            for (String name : names) {
                Logger logger = Logger.getLogger(name);
                logger.setLevel(Level.SEVERE);
                QUIET.add(logger);
            }
        }
    }
}
