package io.counterkit.cli.jdbc;

import io.counterkit.cli.backend.BackendFactory;
import io.counterkit.cli.backend.OpenBackend;
import io.counterkit.cli.console.FileNames;
import io.counterkit.cli.console.UserDirectories;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Counters in a SQLite file, which several commands can use at once. */
@Command(name = "sqlite", header = "in a SQLite file, for any number of commands at once")
public final class SqliteBackendFactory implements BackendFactory {
    @Option(names = "--file", paramLabel = "FILE")
    private @Nullable String file;

    @Override
    public OpenBackend open(Opening opening) {
        UserDirectories user = UserDirectories.ofProcess();
        Path path = file == null ? user.counters() : FileNames.path(file).toAbsolutePath();
        return new SqliteFile(path, file == null, user.cache()).open(opening);
    }
}
