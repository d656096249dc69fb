package io.counterkit.cli.console;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Checks arguments and the names of files, and describes the failures of files. */
public final class FileNames {
    /** Stands for bytes that Java could not decode as UTF-8. In other encodings, Java uses a question mark instead. */
    private static final char LOST = '\ufffd';

    private FileNames() {}

    /**
     * Returns the path of a file.
     *
     * @throws IllegalArgumentException if the locale of this process cannot encode the name, or no file can have it
     */
    public static Path path(String name) {
        checkEncoding("file", name);
        return Path.of(name);
    }

    /**
     * Returns the path of a file in the user's home directory.
     *
     * @throws IllegalArgumentException if that directory is unknown, or the locale of this process cannot encode its name
     */
    static Path inHome(String first, String... more) {
        // Java uses a question mark for a user without an entry in the user database, as in a container.
        String home = Stream.of(System.getProperty("user.home"), System.getenv("HOME"))
                .filter(name -> name != null && new File(name).isAbsolute())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "your home directory is unknown: name a directory with " + UserDirectories.VARIABLE));
        checkEncoding("your home directory", home);
        return Path.of(home).resolve(Path.of(first, more));
    }

    /** Returns why an operation on a file failed, in words. */
    public static String problem(Throwable failure) {
        if (failure instanceof UncheckedIOException wrapper && wrapper.getCause() != null) {
            return wrapper.getMessage() + ": " + problem(wrapper.getCause());
        }
        if (failure instanceof NoSuchFileException missing) {
            return "there is no file or directory " + missing.getFile();
        }
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (failure instanceof FileAlreadyExistsException other) {
            return other.getFile() + " is a file, not a directory";
        }
        if (failure instanceof FileSystemException other && other.getReason() != null) {
            return other.getFile() + ": " + other.getReason();
        }
        return failure.getMessage() == null ? "it could not be read or written" : failure.getMessage();
    }

    /**
     * Checks that Java has decoded an argument of this process without loss. Java replaces what it cannot decode with
     * U+FFFD or a question mark, so that two names could become one.
     *
     * @throws IllegalArgumentException if characters may have been lost; the message is for the user
     */
    public static void checkArgument(String argument) {
        checkEncoding("argument", argument);
    }

    /** On Unix, Java decodes arguments and encodes the names of files by the locale, which may change them. */
    private static void checkEncoding(String what, String name) {
        String marked = isUtf8() ? name : name.replace('?', LOST);
        boolean isSafe = (isUtf8() || File.separatorChar != '/')
                ? marked.indexOf(LOST) < 0
                : marked.chars().allMatch(c -> c < 0x80);
        if (!isSafe) {
            throw new IllegalArgumentException(what + " '" + Excerpt.of(name)
                    + (isUtf8()
                            ? "' is not UTF-8"
                            : "' may lose characters in the encoding of this locale, " + encoding()
                                    + ": use a locale with UTF-8, such as LC_ALL=C.UTF-8"));
        }
    }

    private static boolean isUtf8() {
        return encoding().equalsIgnoreCase("UTF-8");
    }

    private static String encoding() {
        return System.getProperty("sun.jnu.encoding", "");
    }

    /**
     * Returns whether there is nothing with this name, and a file or directory may be created there. Some versions of
     * the JDK also report that a path below a file does not exist.
     */
    public static boolean isAbsent(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing.getParent() != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return Files.notExists(path) && Files.isDirectory(existing);
    }
}
