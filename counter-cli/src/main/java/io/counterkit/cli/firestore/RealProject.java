package io.counterkit.cli.firestore;

import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.NotAppliedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Creates the client of a real project, with the application default credentials of this machine. */
final class RealProject {
    private RealProject() {}

    /**
     * Creates a client, which sends nothing yet.
     *
     * @throws IllegalArgumentException if no project is known
     * @throws NotAppliedException if there are no credentials
     */
    static Firestore connect(@Nullable String project, String database) {
        GoogleCredentials credentials = credentials();
        String chosen = project != null ? project : ServiceOptions.getDefaultProjectId();
        if (chosen == null || chosen.isEmpty()) {
            throw new IllegalArgumentException("which project? Say --project ID, or set GOOGLE_CLOUD_PROJECT; or try it"
                    + " on an emulator with --emulator");
        }
        return FirestoreOptions.newBuilder()
                .setProjectId(chosen)
                .setDatabaseId(database)
                .setCredentials(credentials)
                .build()
                .getService();
    }

    private static GoogleCredentials credentials() {
        try {
            return GoogleCredentials.getApplicationDefault();
        } catch (IOException e) {
            throw new NotAppliedException(
                    "no Google Cloud credentials: run \"gcloud auth application-default login\", or set"
                            + " GOOGLE_APPLICATION_CREDENTIALS to the file of a key, or use --emulator ("
                            + firstLine(e) + ")",
                    e);
        }
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    }
}
