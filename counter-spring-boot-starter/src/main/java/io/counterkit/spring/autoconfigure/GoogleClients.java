package io.counterkit.spring.autoconfigure;

import io.counterkit.spi.Reasons;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Opens clients of Google's services. */
final class GoogleClients {
    private static final Pattern EMULATOR = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^\\s/:]+):[0-9]{1,5}");

    private GoogleClients() {}

    /** Returns the host and port of an emulator if they are valid; a client may accept others, and then never connect. */
    static String checkEmulator(String hostAndPort) {
        if (!EMULATOR.matcher(hostAndPort).matches()) {
            throw new IllegalArgumentException(
                    "'" + hostAndPort + "' is not a host and port: use the form localhost:8080");
        }
        return hostAndPort;
    }

    /** Opens a client. If that fails, names the properties to correct: most often there is no project. */
    static <T> T open(String backend, @Nullable String project, Supplier<T> client) {
        try {
            if (project != null && project.isBlank()) {
                throw new IllegalArgumentException("the project is empty");
            }
            return client.get();
        } catch (RuntimeException e) {
            String property = "counterkit." + backend;
            throw new ConfigurationException(
                    "The counters cannot open a client of the backend '" + backend + "': " + Reasons.of(e) + ".",
                    "Set " + property + ".project, for an emulator also " + property
                            + ".emulator-host, or provide a bean of the client.",
                    e);
        }
    }
}
