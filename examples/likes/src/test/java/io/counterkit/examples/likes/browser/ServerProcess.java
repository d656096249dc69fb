package io.counterkit.examples.likes.browser;

import io.counterkit.examples.likes.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application in a process of its own, to be killed. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("likes: (http://\\S+).*");

    private final List<String> command;
    private Process process;
    private URI address;

    private ServerProcess(List<String> command) throws IOException {
        this.command = command;
        start();
    }

    static ServerProcess start(List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "--port",
                Integer.toString(freePort())));
        command.addAll(options);
        return new ServerProcess(command);
    }

    /** The same one each time it is started, so that pages that are open find it again. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    void start() throws IOException {
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher matcher = ADDRESS.matcher(line);
            if (matcher.matches()) {
                address = URI.create(matcher.group(1));
                return;
            }
            said.append(line).append('\n');
        }
        throw new IOException("the server did not start: " + said);
    }

    URI address() {
        return address;
    }

    /** As kill -9 does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
