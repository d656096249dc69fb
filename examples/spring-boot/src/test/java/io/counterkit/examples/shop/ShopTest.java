package io.counterkit.examples.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The application as its users run it: as a process, by HTTP, and ended by a signal. */
class ShopTest {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @Test
    void whatWasCountedIsThereAfterARestart() throws Exception {
        try (Running shop = start()) {
            assertThat(post(shop, "/posts/42/likes", "click-1")).isEqualTo("1");
            assertThat(post(shop, "/posts/42/likes", "click-1")).isEqualTo("1");
            assertThat(post(shop, "/posts/42/likes", "click-2")).isEqualTo("2");
            assertThat(post(shop, "/orders?customer=c-17", "none")).isEqualTo("1");
            assertThat(send(request(shop, "/orders?customer=", "none")).statusCode())
                    .as("an order that the table refuses")
                    .isEqualTo(500);
            assertThat(get(shop, "/actuator/health")).contains("\"counterKit\":{", "answered within");
            assertThat(get(shop, "/actuator/metrics/counterkit.requests")).contains("\"value\":3.0");
            assertThat(shop.end()).contains("Graceful shutdown complete");
        }
        try (Running shop = start()) {
            assertThat(get(shop, "/posts/42/likes")).isEqualTo("2");
            assertThat(post(shop, "/orders?customer=c-18", "none")).isEqualTo("2");
        }
    }

    @Test
    void errorInTheConfigurationIsExplained() throws Exception {
        Process process = process("--counterkit.backend=firestore");
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(said)
                .contains("APPLICATION FAILED TO START", "Add the dependency io.counterkit:counter-firestore")
                .doesNotContain("\tat ");
    }

    private String post(Running shop, String path, String click) throws Exception {
        return answer(request(shop, path, click));
    }

    private String get(Running shop, String path) throws Exception {
        return answer(HttpRequest.newBuilder(shop.uri(path)).build());
    }

    private static HttpRequest request(Running shop, String path, String click) {
        return HttpRequest.newBuilder(shop.uri(path))
                .header("Idempotency-Key", click)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
    }

    private String answer(HttpRequest request) throws Exception {
        HttpResponse<String> response = send(request);
        assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(200);
        return response.body();
    }

    private HttpResponse<String> send(HttpRequest request) throws Exception {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Process process(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Shop.class.getName(),
                "--server.port=0"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private Running start() throws IOException {
        Process process = process();
        BufferedReader output = process.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return new Running(process, output, Integer.parseInt(port.group(1)));
            }
        }
        throw new AssertionError("the application did not start:\n" + said);
    }

    private record Running(Process process, BufferedReader output, int port) implements AutoCloseable {
        URI uri(String path) {
            return URI.create("http://localhost:" + port + path);
        }

        /** Ends the application as a user does, and returns what it says meanwhile. */
        String end() throws InterruptedException {
            process.toHandle().destroy(); // leaves the output open
            String said = output.lines().collect(Collectors.joining("\n"));
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            return said;
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
