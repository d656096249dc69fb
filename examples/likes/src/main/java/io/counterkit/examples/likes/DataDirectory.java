package io.counterkit.examples.likes;

import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The directory for files of this user, by the conventions of the system. {@code counter} uses the same directory. */
final class DataDirectory {
    private DataDirectory() {}

    static Path ofUser() {
        String own = System.getenv("COUNTERKIT_HOME");
        if (own != null && !own.isEmpty()) {
            return Path.of(own);
        }
        String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        Path home = Path.of(System.getProperty("user.home"));
        if (system.startsWith("mac")) {
            return home.resolve("Library/Application Support/counterkit");
        }
        return system.startsWith("windows")
                ? named(System.getenv("LOCALAPPDATA"), home.resolve("AppData/Local"))
                : named(System.getenv("XDG_DATA_HOME"), home.resolve(".local/share"));
    }

    /** Ignores a relative path in such a variable, as the XDG Base Directory Specification demands. */
    private static Path named(@Nullable String directory, Path otherwise) {
        Path parent = directory != null && Path.of(directory).isAbsolute() ? Path.of(directory) : otherwise;
        return parent.resolve("counterkit");
    }
}
