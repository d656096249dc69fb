package io.counterkit.jdbc.server;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The programs of a PostgreSQL server. {@code -Dcounterkit.postgresql.archive=FILE} names an archive that has them, as
 * Maven Central has for each version. Otherwise they are those of the machine.
 */
final class PostgresPrograms {
    private static final String ARCHIVE = "counterkit.postgresql.archive";

    private final Path found;

    private PostgresPrograms(Path found) {
        this.found = found;
    }

    /** Returns the archive, the newest version that Debian's packages installed, or else the programs on the path. */
    static Optional<PostgresPrograms> find() throws IOException {
        String archive = System.getProperty(ARCHIVE);
        if (archive != null) {
            return Optional.of(new PostgresPrograms(Path.of(archive)));
        }
        List<Path> candidates = new ArrayList<>();
        Path debian = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(debian)) {
            try (var versions = Files.list(debian)) {
                versions.sorted().forEach(version -> candidates.add(0, version.resolve("bin")));
            }
        }
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            candidates.add(Path.of(directory));
        }
        return candidates.stream()
                .filter(directory -> Files.isExecutable(directory.resolve("initdb"))
                        && Files.isExecutable(directory.resolve("postgres")))
                .findFirst()
                .map(PostgresPrograms::new);
    }

    /**
     * Returns the directory of the programs. Unpacks an archive into {@code directory}, as the user who owns it, and
     * who may not be able to reach the archive.
     */
    Path in(Path directory, List<String> asUser) throws IOException, InterruptedException {
        if (Files.isDirectory(found)) {
            return found;
        }
        PostgresServer.run(asUser, Redirect.from(found.toFile()), "tar", "-xJ", "-C", directory.toString());
        return directory.resolve("bin");
    }
}
