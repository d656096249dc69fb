package io.counterkit.datastore;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The Google Cloud SDK's emulator of the Datastore, in a process of its own. */
public final class DatastoreEmulator implements AutoCloseable {
    /** Another process may take a free port before the emulator does. */
    private static final int ATTEMPTS = 3;

    private final Process process;
    private final Path directory;
    private final String hostAndPort;

    private DatastoreEmulator(Process process, Path directory, String hostAndPort) {
        this.process = process;
        this.directory = directory;
        this.hostAndPort = hostAndPort;
    }

    /** Starts the emulator of the SDK whose {@code gcloud} is on the path. */
    public static DatastoreEmulator start(String... options) throws IOException {
        Path jar = sdk().resolve("platform/cloud-datastore-emulator/CloudDatastore.jar");
        if (!Files.exists(jar)) {
            throw new IOException(
                    "No Datastore emulator at " + jar + ": gcloud components install" + " cloud-datastore-emulator");
        }
        for (int attempt = 1; ; attempt++) {
            DatastoreEmulator emulator = launch(jar, options);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !emulator.process.isAlive() || emulator.isReady());
            if (emulator.process.isAlive()) {
                return emulator;
            }
            if (attempt == ATTEMPTS || !emulator.log().contains("Address already in use")) {
                throw new IOException("the Datastore emulator ended: " + emulator.log());
            }
        }
    }

    private static DatastoreEmulator launch(Path jar, String... options) throws IOException {
        Path directory = Files.createTempDirectory("datastore-emulator");
        Files.createDirectories(directory.resolve("WEB-INF"));
        int port = freePort();
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx1g",
                // The emulator never releases its pooled buffers, and ends up without memory for further calls.
                "-Dio.netty.allocator.type=unpooled",
                "-Dio.netty.noUnsafe=true",
                "-cp",
                jar.toString(),
                "com.google.cloud.datastore.emulator.CloudDatastore",
                "start",
                "--host=127.0.0.1",
                "--port=" + port));
        command.addAll(Arrays.asList(options));
        command.add(directory.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        DatastoreEmulator emulator = new DatastoreEmulator(process, directory, "127.0.0.1:" + port);
        Runtime.getRuntime().addShutdownHook(new Thread(emulator::close));
        return emulator;
    }

    private static Path sdk() throws IOException {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path gcloud = Path.of(folder, "gcloud");
            if (!folder.isEmpty() && Files.isExecutable(gcloud)) {
                return gcloud.toRealPath().getParent().getParent();
            }
        }
        throw new IOException("No Datastore emulator: install the Google Cloud SDK, put gcloud on the PATH, and run"
                + " gcloud components install cloud-datastore-emulator");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** Checks the log and the port, which another process may have taken first. */
    private boolean isReady() throws InterruptedException {
        try {
            if (!log().contains("is now running")) {
                return false;
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + hostAndPort + "/"))
                    .build();
            return HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    public String hostAndPort() {
        return hostAndPort;
    }

    Path directory() {
        return directory;
    }

    /** Ends the process and deletes its directory. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            Directories.delete(directory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
