package io.counterkit.firestore.emulator.internal.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Reads all output of a process, so that it never blocks, and keeps the last lines. Thread-safe. */
final class OutputTail {
    private static final int LINES = 60;

    private final Deque<String> lines = new ArrayDeque<>();

    /** Referenced while its output is read: garbage collection would close the pipe that keeps the emulator alive. */
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

    /** Returns whether the emulator has printed that it runs, which it does once it owns its port. */
    synchronized boolean saysRunning() {
        return running;
    }

    /** Waits for the rest of the output of a process that has ended, and returns the last lines. */
    String afterExit() throws InterruptedException {
        reader.join(10_000);
        return text();
    }

    /** Returns the last lines. */
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
            // The process has ended.
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
