package io.counterkit.datastore.local.internal.store;

import io.counterkit.datastore.local.DirectoryInUseException;
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

/** The directory of a local Datastore, which one process holds at a time. Reports whether the last holder closed it. */
public final class DataDirectory {
    private static final String LOCK = "lock";
    private static final String HOLDER = "running";

    /**
     * The directories that this process holds. A lock of the operating system belongs to the process, and POSIX
     * releases it as soon as the process closes any descriptor of the file. So a second attempt in this process must
     * not open the file.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final Path real;
    private final FileChannel channel;
    private @Nullable String abandonedBy;

    private DataDirectory(Path directory, Path real, FileChannel channel) {
        this.directory = directory;
        this.real = real;
        this.channel = channel;
    }

    /**
     * Locks a directory, and creates it if it does not exist.
     *
     * @throws DirectoryInUseException if another process or this one holds it
     * @throws IllegalArgumentException if it cannot be used
     */
    public static DataDirectory open(Path directory) {
        try {
            StoreFile.createDirectories(directory);
            Path real = directory.toRealPath();
            if (!HELD.add(real)) {
                throw new DirectoryInUseException(directory, holder(directory));
            }
            try {
                DataDirectory held = lock(directory, real);
                held.writeHolder();
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
                throw new DirectoryInUseException(directory, holder(directory));
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return new DataDirectory(directory, real, channel);
    }

    private void writeHolder() throws IOException {
        try {
            Path holderFile = directory.resolve(HOLDER);
            if (Files.exists(holderFile)) {
                abandonedBy = holder(directory);
            }
            try (OutputStream out = new FileOutputStream(holderFile.toFile())) {
                String holder = "process " + ProcessHandle.current().pid() + ", begun "
                        + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n";
                out.write(holder.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns which process holds a directory, for messages; empty if that is not written there. */
    private static String holder(Path directory) throws IOException {
        try (InputStream in = new FileInputStream(directory.resolve(HOLDER).toFile())) {
            String holder = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return holder.isEmpty() ? "" : " (" + holder + ")";
        } catch (FileNotFoundException e) {
            return "";
        }
    }

    /** Returns the last process that held the directory without releasing it; null if there was none. */
    public @Nullable String abandonedBy() {
        return abandonedBy;
    }

    /**
     * Releases the directory.
     *
     * @param isWhole whether all changes were written; if not, {@link #abandonedBy} of the next holder reports it
     */
    public void end(boolean isWhole) {
        try (channel) {
            if (isWhole) {
                Files.deleteIfExists(directory.resolve(HOLDER));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the data directory " + directory + " could not be released", e);
        } finally {
            HELD.remove(real);
        }
    }
}
