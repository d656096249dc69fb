package io.counterkit.datastore.local;

import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The directory of a local Datastore, held by one process at a time. Says whether the last one closed it. */
final class DataDirectory {
    private static final String LOCK = "lock";
    private static final String NOTE = "running";

    /**
     * What this process holds. A lock of the operating system is the process's, and POSIX gives it up as soon as the
     * process closes any descriptor of the file: so a second attempt in this process must not open the file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Path real;
    private final FileChannel channel;
    private @Nullable String brokenOff;

    private DataDirectory(Path directory, Path real, FileChannel channel) {
        this.directory = directory;
        this.real = real;
        this.channel = channel;
    }

    /**
     * Takes hold of a directory, which is made if there is none.
     *
     * @throws DirectoryInUseException if another process holds it, or this one does
     * @throws IllegalArgumentException if it cannot be used
     */
    static DataDirectory open(Path directory) {
        try {
            StoreFile.createDirectories(directory);
            Path real = directory.toRealPath();
            if (!HELD.add(real)) {
                throw new DirectoryInUseException(directory, note(directory));
            }
            try {
                DataDirectory held = lock(directory, real);
                held.begin();
                return held;
            } catch (IOException | RuntimeException e) {
                HELD.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the data directory " + directory + " cannot be used (" + StoppedException.reason(e)
                            + "): choose another directory, or make this one readable and writable",
                    e);
        }
    }

    private static DataDirectory lock(Path directory, Path real) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new DirectoryInUseException(directory, note(directory));
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return new DataDirectory(directory, real, channel);
    }

    private void begin() throws IOException {
        try {
            Path note = directory.resolve(NOTE);
            if (Files.exists(note)) {
                brokenOff = note(directory);
            }
            try (OutputStream out = new FileOutputStream(note.toFile())) {
                String holder = "process " + ProcessHandle.current().pid() + ", begun "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n";
                out.write(holder.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Who holds a directory, for messages; empty where that is not written yet, or not any more. */
    private static String note(Path directory) throws IOException {
        try (InputStream in = new FileInputStream(directory.resolve(NOTE).toFile())) {
            String holder = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return holder.isEmpty() ? "" : " (" + holder + ")";
        } catch (FileNotFoundException e) {
            return "";
        }
    }

    /** Who held the directory before and did not end, as {@link #note}; null if there was none. */
    @Nullable String brokenOff() {
        return brokenOff;
    }

    /**
     * Lets go of the directory.
     *
     * @param isWhole whether everything was written; if not, {@link #brokenOff} of the next one says so
     */
    void end(boolean isWhole) {
        try (channel) {
            if (isWhole) {
                Files.deleteIfExists(directory.resolve(NOTE));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the data directory " + directory + " could not be let go of", e);
        } finally {
            HELD.remove(real);
        }
    }

    /** Lets go of the directory as if the process had been killed. */
    void letGo() {
        end(false);
    }
}
