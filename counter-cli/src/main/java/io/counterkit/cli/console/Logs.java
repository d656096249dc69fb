package io.counterkit.cli.console;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The logs of the stores' clients, which repeat in many lines what a command reports in one. */
public final class Logs {
    /** The log manager forgets a logger that is not referenced, and its level with it. */
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
