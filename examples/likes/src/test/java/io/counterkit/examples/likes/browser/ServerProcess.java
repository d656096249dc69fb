package io.counterkit.examples.likes.browser;

import io.counterkit.examples.likes.JavaCommand;
import io.counterkit.examples.likes.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application in its own process, which can be killed. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("likes: (http://\\S+).*");

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<String> options;
    private Process process;
    private URI address;

    private ServerProcess(List<String> options) {
        this.options = options;
    }

    /** Starts it at any free port. */
    static ServerProcess start(List<String> options) throws IOException {
        ServerProcess server = new ServerProcess(options);
        server.tryToStart(0);
        return server;
    }

    /** Starts it again at the same port, so that open pages find it; another process may use the port for a while. */
    void start() throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                tryToStart(address().getPort());
                return;
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains(" is taken; choose another")
                        || System.nanoTime() - end > 0) {
                    throw e;
                }
            }
        }
    }

    private void tryToStart(int port) throws IOException {
        List<String> command = JavaCommand.start();
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), Main.class.getName(), "--port", Integer.toString(port)));
        command.addAll(options);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder output = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.matches()) {
                address = URI.create(matcher.group(1));
                return;
            }
            output.append(line).append('\n');
        }
        throw new IOException("the server did not start: " + output);
    }

    URI address() {
        return address;
    }

    /** Kills it as kill -9 does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
