package io.counterkit.cli.console;

import java.io.File;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The directories for files of this user, by the conventions of the system.
 *
 * @param data the directory of the data
 * @param cache the directory of the files that can be created again
 */
public record UserDirectories(Path data, Path cache) {
    /** The variable that names one directory for everything. */
    static final String VARIABLE = "COUNTERKIT_HOME";

    /**
     * Returns the directories of the user of this process.
     *
     * @throws IllegalArgumentException if the locale of this process cannot encode their names
     */
    public static UserDirectories ofProcess() {
        return of(System.getProperty("os.name", ""), System::getenv);
    }

    @SuppressWarnings("NullAway") // a variable may be absent
    static UserDirectories of(String system, UnaryOperator<String> environment) {
        String own = environment.apply(VARIABLE);
        if (own != null && !own.isEmpty()) {
            Path directory = FileNames.path(own).toAbsolutePath();
            return new UserDirectories(directory, directory.resolve("cache"));
        }
        String name = system.toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return new UserDirectories(
                    FileNames.inHome("Library", "Application Support", "counterkit"),
                    FileNames.inHome("Library", "Caches", "counterkit"));
        }
        if (name.startsWith("windows")) {
            Path local = named(environment.apply("LOCALAPPDATA"), "AppData", "Local");
            return new UserDirectories(local, local.resolve("cache"));
        }
        return new UserDirectories(
                named(environment.apply("XDG_DATA_HOME"), ".local", "share"),
                named(environment.apply("XDG_CACHE_HOME"), ".cache"));
    }

    /** Returns the file that keeps the user's counters unless another backend or file is named. */
    public Path counters() {
        return data.resolve("counters.db");
    }

    /** Ignores a relative path in such a variable, as the XDG Base Directory Specification demands. */
    private static Path named(@Nullable String directory, String first, String... more) {
        Path parent = directory != null && new File(directory).isAbsolute()
                ? FileNames.path(directory)
                : FileNames.inHome(first, more);
        return parent.resolve("counterkit");
    }
}
