package io.counterkit.firestore.emulator.internal.process;

import io.counterkit.firestore.emulator.EmulatorOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An emulator in a JVM of its own, on a free port. It ends with this JVM, however this JVM ends ({@link EmulatorMain}).
 */
public final class EmulatorProcess implements AutoCloseable {
    /** Another process may take a free port before the emulator does. */
    private static final int ATTEMPTS = 3;

    private static final long PAUSE_MILLIS = 20;

    private final Process process;
    private final OutputTail output;
    private final Endpoint endpoint;

    private EmulatorProcess(Process process, Endpoint endpoint) {
        this.process = process;
        this.output = OutputTail.of(process);
        this.endpoint = endpoint;
    }

    /** Starts an emulator and returns once it answers. */
    public static EmulatorProcess start(Path jar, EmulatorOptions options) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            EmulatorProcess emulator = launch(jar, options, freePort());
            try {
                emulator.awaitReady(options);
                return emulator;
            } catch (IOException | InterruptedException | RuntimeException e) {
                emulator.close();
                if (attempt == ATTEMPTS || !emulator.output.text().contains("Address already in use")) {
                    throw e;
                }
            }
        }
    }

    /** Returns the address of the emulator. */
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            // The process ends without a wait.
            Thread.currentThread().interrupt();
        }
    }

    private static EmulatorProcess launch(Path jar, EmulatorOptions options, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // OutputTail reads the emulator's messages in English.
                "-Duser.language=en",
                "-Xmx" + options.heap()));
        command.addAll(options.jvmOptions());
        command.addAll(List.of(
                "-cp",
                ownClasses().toString(),
                EmulatorMain.class.getName(),
                jar.toString(),
                "start",
                "--host=127.0.0.1",
                "--port=" + port,
                "--database-mode=" + options.databaseMode().flag()));
        Path rules = options.rules();
        if (rules != null) {
            command.add("--rules=" + rules.toAbsolutePath());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new EmulatorProcess(process, new Endpoint("127.0.0.1:" + port));
    }

    private void awaitReady(EmulatorOptions options) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(options.patience());
        while (!isReady()) {
            if (process.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IOException("it ended with exit code " + process.exitValue() + hint(output.afterExit()));
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("it did not answer at " + endpoint.hostAndPort() + " within "
                        + options.patience().toMillis() + " ms" + hint(output.text()));
            }
        }
    }

    /** Checks the output too, since another emulator may have taken the port and answer there. */
    private boolean isReady() {
        if (!output.saysRunning()) {
            return false;
        }
        try {
            endpoint.ask();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String hint(String output) {
        String newerJava = output.contains("UnsupportedClassVersionError")
                ? "; this emulator needs a newer Java than " + Runtime.version() + ", which runs this process"
                : "";
        return newerJava + "; it printed:\n" + output;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Path ownClasses() throws IOException {
        CodeSource source = EmulatorMain.class.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException(
                    "the classes of counter-firestore-emulator must be in a folder or a jar of the file system, not in "
                            + source,
                    e);
        }
    }
}
