package io.counterkit.cli;

import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Console;
import io.counterkit.cli.console.Interrupt;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The command line run once in this process: its exit code and what it printed. */
public record CommandRun(int exitCode, String out, String err) {
    public static CommandRun of(String... args) {
        return withInput("", args);
    }

    public static CommandRun withInput(String input, String... args) {
        return on(
                Backends.onClassPath(),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new Interrupt(),
                args);
    }

    /** Interrupts the command, as Ctrl-C does, when it has printed a line. */
    public static CommandRun untilItPrints(String... args) {
        Interrupt interrupt = new Interrupt();
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public synchronized void write(byte[] bytes, int from, int length) {
                super.write(bytes, from, length);
                if (toString(StandardCharsets.UTF_8).contains("\n")) {
                    interrupt.request();
                }
            }
        };
        return on(Backends.onClassPath(), InputStream.nullInputStream(), out, interrupt, args);
    }

    public static CommandRun on(Backends backends, InputStream input, Interrupt interrupt, String... args) {
        return on(backends, input, new ByteArrayOutputStream(), interrupt, args);
    }

    private static CommandRun on(
            Backends backends, InputStream input, ByteArrayOutputStream out, Interrupt interrupt, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(input, utf8(out), utf8(err), 0);
        int exitCode = Main.run(backends, console, interrupt, args);
        return new CommandRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static PrintStream utf8(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    public List<String> outLines() {
        return out.lines().toList();
    }

    public List<String> errLines() {
        return err.lines().toList();
    }
}
