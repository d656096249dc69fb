package io.counterkit.cli.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/** Unpacks SQLite's native library once. The driver would unpack a megabyte at each start. */
final class NativeLibrary {
    private static final String PATH_PROPERTY = "org.sqlite.lib.path";
    private static final String NAME_PROPERTY = "org.sqlite.lib.name";

    private NativeLibrary() {}

    /** Unpacks the library into {@code cache} if it is missing there, and lets the driver load it from there. */
    static synchronized void unpackTo(Path cache) {
        if (System.getProperty(PATH_PROPERTY) != null) {
            return;
        }
        String name = LibraryLoaderUtil.getNativeLibName();
        URL packed = SQLiteJDBCLoader.class.getResource(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name);
        if (packed == null) {
            return; // the driver reports that it has none for this system
        }
        // One home directory may serve machines of several kinds.
        Path directory = cache.resolve("sqlite-" + SQLiteJDBCLoader.getVersion())
                .resolve(OSInfo.getNativeLibFolderPathForCurrentOS());
        try {
            unpack(packed, directory, name);
        } catch (IOException e) {
            return; // the driver unpacks its library itself
        }
        System.setProperty(PATH_PROPERTY, directory.toString());
        System.setProperty(NAME_PROPERTY, name);
    }

    private static void unpack(URL packed, Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        URLConnection connection = packed.openConnection();
        // After a power failure, a file can exist and be empty.
        if (Files.exists(file) && Files.size(file) == connection.getContentLengthLong()) {
            return;
        }
        Files.createDirectories(directory);
        Path part = Files.createTempFile(directory, name, ".part");
        try (InputStream in = connection.getInputStream()) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
