package io.counterkit.firestore.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that options reach the emulator. */
@Tag("exhaustive")
class StartOptionsTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String project = "demo-" + UUID.randomUUID();

    @TempDir
    Path folder;

    @Test
    void rules_applyToMobileAndWebClients() throws Exception {
        Path rules = Files.writeString(folder.resolve("test.rules"), """
                rules_version = '2';
                service cloud.firestore {
                  match /databases/{database}/documents {
                    match /open/{id} { allow read: if true; }
                  }
                }
                """);
        try (FirestoreEmulator emulator =
                start(EmulatorOptions.builder().rules(rules).heap("256m").build())) {
            assertThat(statusOfReading(emulator, "open/" + UUID.randomUUID())).isEqualTo(404);
            assertThat(statusOfReading(emulator, "shut/" + UUID.randomUUID())).isEqualTo(403);
        }
    }

    @Test
    void databaseMode_datastore_servesDatastore() throws Exception {
        try (FirestoreEmulator emulator = start(EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .patience(Duration.ofSeconds(Long.MAX_VALUE))
                .heap("256m")
                .build())) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://" + emulator.hostAndPort() + "/v1/projects/" + project
                                    + ":beginTransaction"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString("{}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            assertThat(answer.body()).contains("\"transaction\"");
        }
    }

    private static FirestoreEmulator start(EmulatorOptions options) {
        return Prerequisite.required(() -> FirestoreEmulator.start(options));
    }

    private int statusOfReading(FirestoreEmulator emulator, String document) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + emulator.hostAndPort() + "/v1/projects/" + project
                + "/databases/(default)/documents/" + document);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
