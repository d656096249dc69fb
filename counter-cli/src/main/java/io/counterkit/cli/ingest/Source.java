package io.counterkit.cli.ingest;

import io.counterkit.cli.console.Arguments;
import io.counterkit.cli.console.FileNames;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The source of the lines.
 *
 * @param name the name for the user
 * @param size the size in bytes; -1 if it is unknown, as of a pipe
 * @param file the regular file, resolved; null if it is something else
 */
record Source(
        String name,
        InputStream stream,
        long size,
        @Nullable Path file) implements Closeable {
    /**
     * Opens a file, or {@code standardInput} for a hyphen.
     *
     * @throws IllegalArgumentException if the file cannot be read, or the locale cannot encode its name; the message is
     *     for the user
     */
    static Source open(String name, InputStream standardInput) throws IOException {
        if (name.equals("-")) {
            return new Source("standard input", standardInput, -1, null);
        }
        Path path = FileNames.path(name);
        try {
            Arguments.check(Files.exists(path), "there is no file '" + name + "'");
            Arguments.check(!Files.isDirectory(path), "'" + name + "' is a directory: name a file in it");
            Arguments.check(
                    Files.isReadable(path),
                    "'" + name + "' may not be read: change its permissions, or name another file");
            boolean isRegular = Files.isRegularFile(path);
            return new Source(
                    name,
                    new FileInputStream(path.toFile()),
                    isRegular ? Files.size(path) : -1,
                    isRegular ? path.toRealPath() : null);
        } catch (FileSystemException e) {
            throw new IllegalArgumentException("'" + name + "' cannot be read: " + FileNames.problem(e), e);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
