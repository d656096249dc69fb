package io.counterkit.cli.console;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command.
 *
 * @param in the standard input, as bytes
 * @param out what the command was asked for, in UTF-8
 * @param err what else there is to say
 * @param columns how wide the terminal is that shows {@code err}; 0 if none does
 */
public record Console(InputStream in, PrintStream out, PrintStream err, int columns) {
    /** Set by the {@code counter} script, which can ask what Java cannot: is stderr a terminal, and how wide is it. */
    private static final String COLUMNS = "counter.columns";

    /** Those of this process. */
    public static Console ofProcess() {
        return new Console(
                new FileInputStream(FileDescriptor.in),
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Integer.getInteger(COLUMNS, 0));
    }
}
