package io.counterkit.firestore.emulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reads all that a process prints, so that it never waits for a reader, and keeps the end of it. Thread-safe. */
final class OutputTail {
    private static final int LINES = 60;

    private final Deque<String> lines = new ArrayDeque<>();

    /** Held while its output is read, so that no collection of garbage closes the pipe that keeps the emulator alive. */
    private final Process process;

    private final Thread reader;
    private boolean running;

    private OutputTail(Process process) {
        this.process = process;
        reader = new Thread(this::drain, "counterkit-emulator-output");
        reader.setDaemon(true);
    }

    static OutputTail of(Process process) {
        OutputTail tail = new OutputTail(process);
        tail.reader.start();
        return tail;
    }

    /** Whether the emulator has said that it runs, which it says once its port is its own. */
    synchronized boolean saysRunning() {
        return running;
    }

    /** Waits until a process that has ended has been heard out, and gives the end of what it said. */
    String afterExit() throws InterruptedException {
        reader.join(10_000);
        return text();
    }

    /** What was said last. */
    synchronized String text() {
        return lines.isEmpty() ? "(nothing)" : String.join("\n", lines);
    }

    private void drain() {
        try (BufferedReader text =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                keep(line);
            }
        } catch (IOException e) {
            // The process was ended.
        }
    }

    private synchronized void keep(String line) {
        running |= line.contains("running");
        lines.addLast(line);
        if (lines.size() > LINES) {
            lines.removeFirst();
        }
    }
}
