package io.counterkit.spring;

import io.counterkit.spi.Reasons;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens clients of Google's services. */
final class GoogleClients {
    private GoogleClients() {}

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
