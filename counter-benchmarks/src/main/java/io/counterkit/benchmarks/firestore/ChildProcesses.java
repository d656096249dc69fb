package io.counterkit.benchmarks.firestore;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * JVMs that execute commands at the same time. A command is a line of a JVM's standard input, and its result a line of
 * the standard output. Closing this ends the JVMs. Not thread-safe.
 */
final class ChildProcesses implements AutoCloseable {
    private final List<Child> children = new ArrayList<>();

    /**
     * Starts a JVM with the Java and the class path of this one, and waits for the line that it prints when it is
     * ready.
     *
     * @throws IllegalStateException if it ends before, with its error output
     */
    void start(Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+ExitOnOutOfMemoryError",
                // The JVM's own messages must not disturb the results.
                "-XX:+DisplayVMOutputToStderr",
                main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // As a variable, since the length of a command has a limit on some systems.
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        Path errors = Files.createTempFile("child", ".txt");
        Process process = builder.redirectError(errors.toFile()).start();
        Child child = new Child(process, process.outputWriter(), process.inputReader(), errors);
        children.add(child);
        String unused = child.result();
    }

    /**
     * Sends a command to each JVM, and returns their results.
     *
     * @param command the command of the JVM with a number, counted from 0
     * @throws IllegalStateException if a JVM has ended, with its error output
     */
    List<String> execute(IntFunction<String> command) throws IOException, InterruptedException {
        for (int i = 0; i < children.size(); i++) {
            children.get(i).send(command.apply(i));
        }
        List<String> results = new ArrayList<>();
        for (Child child : children) {
            results.add(child.result());
        }
        return results;
    }

    @Override
    public void close() throws IOException {
        for (Child child : children) {
            child.process().destroyForcibly().onExit().join();
            Files.deleteIfExists(child.errors());
        }
    }

    private record Child(Process process, BufferedWriter commands, BufferedReader results, Path errors) {
        void send(String command) throws IOException, InterruptedException {
            try {
                commands.write(command + "\n");
                commands.flush();
            } catch (IOException e) {
                throw ended(e);
            }
        }

        String result() throws IOException, InterruptedException {
            String result = results.readLine();
            if (result == null) {
                throw ended(null);
            }
            return result;
        }

        private IllegalStateException ended(@Nullable IOException cause) throws IOException, InterruptedException {
            return new IllegalStateException(
                    "process " + process.pid() + " ended with exit code " + process.waitFor()
                            + ", so the measurement is void; it printed:\n" + Files.readString(errors),
                    cause);
        }
    }
}
