package io.counterkit.cli.google;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.ServiceOptions;
import io.counterkit.spi.Reasons;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The application default credentials and project of this machine. {@link GoogleOptions} loads no client. */
final class GoogleAccount {
    private GoogleAccount() {}

    /**
     * Returns the credentials.
     *
     * @throws IllegalArgumentException if there are none; the message is for the user
     */
    static GoogleCredentials credentials() {
        try {
            return GoogleCredentials.getApplicationDefault();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "no Google Cloud credentials: run \"gcloud auth application-default login\", or set"
                            + " GOOGLE_APPLICATION_CREDENTIALS to the file of a key, or use --emulator ("
                            + Reasons.inOneLine(e) + ")",
                    e);
        }
    }

    /**
     * Returns the project, by default that of the environment, of the credentials or of gcloud's configuration.
     *
     * @throws IllegalArgumentException if none is known; the message is for the user
     */
    static String project(@Nullable String chosen) {
        String project = chosen != null ? chosen : ServiceOptions.getDefaultProjectId();
        if (project == null || project.isEmpty()) {
            throw new IllegalArgumentException("no Google Cloud project: name one with --project ID, or set"
                    + " GOOGLE_CLOUD_PROJECT, or use --emulator");
        }
        return project;
    }
}
