package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process with the class path of this one, and the lines that it prints. Killed when closed. */
final class ChildJvm implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();

    private ChildJvm(List<String> command) throws IOException {
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        reader = new Thread(this::read);
        reader.start();
    }

    static ChildJvm start(Class<?> program, String... arguments) throws IOException {
        return new ChildJvm(java(program, arguments));
    }

    /** Starts a program that can write no file longer than {@code kibibytes}, as if the disk were full. */
    static ChildJvm startWithFilesUpTo(long kibibytes, Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f " + kibibytes + "; exec \"$@\"", "sh"));
        command.addAll(java(program, arguments));
        return new ChildJvm(command);
    }

    private static List<String> java(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx512m", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private void read() {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the process has printed {@code count} lines that start with {@code start}. */
    void awaitLines(String start, int count) throws InterruptedException {
        long began = System.nanoTime();
        synchronized (lines) {
            while (lines.stream().filter(line -> line.startsWith(start)).count() < count) {
                assertThat(reader.isAlive() && System.nanoTime() - began < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS))
                        .as("%d lines '%s' in %s", count, start, lines)
                        .isTrue();
                lines.wait(100);
            }
        }
    }

    /** Ends the process by a signal, as a service manager does. */
    void terminate() {
        boolean unused = process.toHandle().destroy(); // Process.destroy would close its streams
    }

    /** Kills the process, and returns the lines that it printed. */
    List<String> kill() throws InterruptedException {
        boolean unused = process.toHandle().destroyForcibly();
        return awaitEnd();
    }

    /** Waits for the end of the process, and returns the lines that it printed. */
    List<String> awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("%s", lines)
                .isTrue();
        reader.join();
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
