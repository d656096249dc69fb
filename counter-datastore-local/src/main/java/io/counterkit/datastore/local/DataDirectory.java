package io.counterkit.datastore.local;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The files of a local Datastore, held by one process at a time. The Datastore works on a copy, which takes the place of
 * the data in one step: so a process that is killed leaves nothing half written, and the next one knows of it.
 */
final class DataDirectory {
    private static final String LOCK = "lock";
    private static final String DATA = "datastore.bin";
    private static final String COPY = "datastore.next";
    private static final String NOTE = "running";

    private final Path directory;
    private final FileChannel channel;
    private @Nullable String brokenOff;

    private DataDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Takes hold of a directory, which is made if there is none.
     *
     * @throws DirectoryInUseException if another process holds it
     * @throws IllegalArgumentException if it cannot be used
     */
    static DataDirectory open(Path directory) {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new DirectoryInUseException(directory, note(directory));
            }
            DataDirectory held = new DataDirectory(directory, channel);
            try {
                held.begin();
            } catch (IOException | RuntimeException e) {
                held.letGo();
                throw e;
            }
            return held;
        } catch (IOException e) {
            throw new IllegalArgumentException("the data directory " + directory + " cannot be used: " + e, e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this very process
        }
    }

    private void begin() throws IOException {
        Path note = directory.resolve(NOTE);
        if (Files.exists(note)) {
            brokenOff = note(directory);
        }
        Files.deleteIfExists(directory.resolve(COPY));
        if (Files.exists(directory.resolve(DATA))) {
            checkReadable(directory.resolve(DATA));
            Files.copy(directory.resolve(DATA), directory.resolve(COPY));
        }
        Files.writeString(
                note,
                "process " + ProcessHandle.current().pid() + ", begun "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n");
    }

    /** Who holds a directory, for messages; empty where that is not written yet, or not any more. */
    private static String note(Path directory) throws IOException {
        try {
            return " (" + Files.readString(directory.resolve(NOTE)).strip() + ")";
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** Who held the directory before and did not end, as {@link #note}; null if there was none. */
    @Nullable String brokenOff() {
        return brokenOff;
    }

    /** The file for the Datastore to work on. */
    Path copy() {
        return directory.resolve(COPY);
    }

    /**
     * Makes sure that what the Datastore has written is whole, which it need not be while the JVM is shut down.
     *
     * @throws UncheckedIOException if it is not
     */
    void checkCopy() {
        try {
            if (Files.exists(copy())) {
                checkReadable(copy());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("what was changed was not written to " + directory, e);
        }
    }

    /** Puts what the Datastore has written in place of the data; nothing if it has written nothing. */
    void keepCopy() {
        try {
            if (Files.exists(copy())) {
                try (FileChannel written = FileChannel.open(copy(), StandardOpenOption.WRITE)) {
                    written.force(true);
                }
                Files.move(
                        copy(),
                        directory.resolve(DATA),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("what was changed could not be written to " + directory, e);
        }
    }

    /**
     * Lets go of the directory.
     *
     * @param isWhole whether everything was written; if not, who opens it next is told
     */
    void end(boolean isWhole) {
        try (channel) {
            if (isWhole) {
                Files.delete(directory.resolve(NOTE));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the data directory " + directory + " could not be let go of", e);
        }
    }

    /** Lets go of the directory as if the process had been killed. */
    void letGo() throws IOException {
        channel.close();
    }

    /** The Datastore takes a file that it cannot read for an empty one, and would write over it. */
    private static void checkReadable(Path file) throws IOException {
        try (ObjectInputStream in = new ObjectInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            in.readLong();
            in.readLong();
            in.readLong();
            in.readObject();
        } catch (ClassNotFoundException | RuntimeException e) {
            throw new IOException(file + " was not written by this version of the local Datastore", e);
        }
    }
}
