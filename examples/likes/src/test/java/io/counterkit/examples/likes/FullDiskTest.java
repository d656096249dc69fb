package io.counterkit.examples.likes;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.examples.likes.wall.Post;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code likes --backend datastore} when its file cannot grow, as on a full disk. */
@Tag("exhaustive")
class FullDiskTest {
    private static final Pattern ADDRESS = Pattern.compile("http://\\S+");

    @TempDir
    Path data;

    @Test
    void likeThatCouldNotBeWrittenStaysUnknown() throws Exception {
        Process likes = startOnFullDisk();
        try (BufferedReader said = likes.inputReader()) {
            Matcher address = ADDRESS.matcher(String.valueOf(said.readLine()));
            assertThat(address.find()).isTrue();
            URI server = URI.create(address.group());
            Post post = Post.wall().get(0);
            String click = UUID.randomUUID().toString();
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThat(post(server, "click=" + click + "&post=" + post.id()))
                        .contains("\"UNKNOWN\"", data.resolve("datastore.bin").toString(), "make room")
                        .doesNotContain("Exception");
            }
            assertThat(likes.toHandle().destroy()).isTrue();
            assertThat(said.lines().toList())
                    .singleElement()
                    .asString()
                    .contains("likes: ", "not written", "make room");
            assertThat(likes.waitFor(60, TimeUnit.SECONDS)).isTrue();
            try (LocalDatastore datastore = LocalDatastore.open(data, Durability.EACH_COMMIT);
                    Counters counters = Counters.over(datastore.backend())) {
                assertThat(counters.counter(post.counter()).get()).isZero();
                assertThat(counters.resolve(IdempotencyToken.of("like/" + post.id() + "/" + click))
                                .applied())
                        .isFalse();
            }
        } finally {
            likes.destroyForcibly();
        }
    }

    /** Limits files to one kibibyte, which the data exceeds. */
    private Process startOnFullDisk() throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f 1; exec \"$@\"", "sh"));
        command.addAll(JavaCommand.start());
        command.addAll(List.of("-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of("--backend", "datastore", "--port", "0", "--data", data.toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String post(URI server, String form) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/likes"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
