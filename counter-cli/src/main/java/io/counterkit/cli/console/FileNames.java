package io.counterkit.cli.console;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Resolves the names of files, and describes their failures. */
public final class FileNames {
    private FileNames() {}

    /**
     * Returns the path of a file.
     *
     * @throws IllegalArgumentException if the locale of this process cannot encode the name
     */
    public static Path path(String name) {
        checkEncoding("file", name);
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + name + "' is not the name of a file: " + e.getReason(), e);
        }
    }

    /**
     * Returns the path of a file in the user's home directory.
     *
     * @throws IllegalArgumentException if the locale of this process cannot encode the name of that directory
     */
    static Path inHome(String first, String... more) {
        String home = System.getProperty("user.home");
        checkEncoding("your home directory", home.replace('?', '\ufffd')); // which replaces bytes that are not ASCII
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

    /** On Unix, Java encodes the names of files by the locale, which may give other bytes than those typed. */
    private static void checkEncoding(String what, String name) {
        String encoding = System.getProperty("sun.jnu.encoding", "");
        boolean isSafe = File.separatorChar != '/'
                || ProcessArguments.isUtf8(encoding)
                || name.chars().allMatch(c -> c < 0x80);
        if (!isSafe) {
            throw new IllegalArgumentException(what + " '" + name + "' cannot be named in the encoding of this locale, "
                    + encoding + ": set LC_ALL to one with UTF-8, such as C.UTF-8");
        }
    }

    /**
     * Returns whether there is nothing with this name, and a file or directory may be created there. Some versions of the
     * JDK also report that a path below a file does not exist.
     */
    public static boolean isAbsent(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing.getParent() != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        return Files.notExists(path) && Files.isDirectory(existing);
    }
}
