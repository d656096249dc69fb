package io.counterkit.cli.console;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a command.
 *
 * @param in the standard input, as bytes
 * @param out the results, in UTF-8
 * @param err messages, in UTF-8
 * @param columns the width of the terminal that shows {@code err}; 0 if there is none
 */
public record Console(InputStream in, PrintStream out, PrintStream err, int columns) {
    /** Set by the {@code counter} script, since Java cannot find out whether stderr is a terminal, and how wide. */
    private static final String COLUMNS = "counter.columns";

    /** Returns the streams of this process, which have no buffer: what is printed is written at once. */
    public static Console ofProcess() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                new StandardOutput(new FileOutputStream(FileDescriptor.out)),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Integer.getInteger(COLUMNS, 0));
    }

    /** Prints a result: one line of JSON for a program, lines for people. */
    public void print(boolean isJson, Supplier<Json> json, Consumer<PrintStream> lines) {
        if (isJson) {
            out.println(json.get());
        } else {
            lines.accept(out);
        }
    }

    /** Returns why results could not be written; null if all were, or if their reader closed the pipe. */
    public @Nullable String lostOutput() {
        return out instanceof StandardOutput output ? output.problem() : null;
    }

    /** Prints a message on the error stream. */
    public void say(@Nullable String message) {
        err.println("counter: " + message);
    }
}
