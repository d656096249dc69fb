package io.counterkit.datastore.local.internal.store;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The file of a local Datastore: a mark, the stub's memory, and a checksum of both. A write replaces the whole file
 * atomically. Ignores interrupts.
 */
public final class StoreFile {
    /** ASCII {@code CKLDS} and the version of the format. */
    private static final long MARK = 0x43_4B_4C_44_53_00_00_02L;

    /** The start of a file of the first version: the mark of Java's serialization. It has no checksum. */
    private static final long FIRST_VERSION = 0xACED;

    private static final int MARK_BYTES = Long.BYTES;
    private static final int SUM_BYTES = Integer.BYTES;

    private final Path directory;
    private final Path data;
    private final Path next;

    /** Creates the file of a directory, without access to the disk. */
    public StoreFile(Path directory) {
        this.directory = directory;
        data = directory.resolve("datastore.bin");
        next = directory.resolve("datastore.next");
    }

    Path path() {
        return data;
    }

    /** Deletes the rest of a write that did not finish. */
    public void cleanUp() throws IOException {
        Files.deleteIfExists(next);
    }

    /**
     * Reads the file into {@code memory}, if there is a file.
     *
     * @throws IOException if the file is damaged or was not written by a local Datastore
     */
    public void read(StubMemory memory) throws IOException {
        if (!Files.exists(data)) {
            return;
        }
        boolean hasMark = check();
        try (InputStream in = new BufferedInputStream(new FileInputStream(data.toFile()))) {
            if (hasMark) {
                in.skipNBytes(MARK_BYTES);
            }
            memory.read(new ObjectInputStream(in));
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    /**
     * Checks the file.
     *
     * @return whether the file has a mark and a checksum; files of the first version have none
     * @throws IOException if the file is damaged or was not written by a local Datastore
     */
    private boolean check() throws IOException {
        CRC32C sum = new CRC32C();
        try (DataInputStream in = new DataInputStream(
                new CheckedInputStream(new BufferedInputStream(new FileInputStream(data.toFile()), 1 << 16), sum))) {
            long mark = in.readLong();
            if (mark >>> 48 == FIRST_VERSION) {
                return false;
            }
            if (mark == MARK) {
                in.skipNBytes(Math.max(0, Files.size(data) - MARK_BYTES - SUM_BYTES));
                int found = (int) sum.getValue();
                if (in.readInt() == found) {
                    return true;
                }
            }
        } catch (EOFException e) {
            // reported below
        }
        throw damaged(null);
    }

    private IOException damaged(@Nullable Exception cause) {
        return new IOException(
                data + " is damaged, or was written by another program: restore it from a backup", cause);
    }

    /**
     * Replaces the file. When this method returns, the new file survives a loss of power.
     *
     * @throws IOException if the new file could not be written; the file is then the old or the new one
     */
    void write(ByteArrayOutputStream memory) throws IOException {
        try (FileOutputStream file = new FileOutputStream(next.toFile())) {
            CRC32C sum = new CRC32C();
            DataOutputStream out = new DataOutputStream(new CheckedOutputStream(file, sum));
            out.writeLong(MARK);
            memory.writeTo(out);
            out.writeInt((int) sum.getValue());
            file.getFD().sync();
        }
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncDirectory(directory);
    }

    /** Creates a directory and its parents so that they survive a loss of power. */
    static void createDirectories(Path directory) throws IOException {
        Path above = directory.toAbsolutePath().getParent();
        if (above != null && !Files.isDirectory(directory)) {
            createDirectories(above);
            Files.createDirectories(directory);
            syncDirectory(above);
        }
    }

    /** Makes the file names in a directory survive a loss of power. */
    private static void syncDirectory(Path directory) throws IOException {
        if (File.separatorChar == '\\') {
            return; // Windows cannot open a directory, and need not
        }
        boolean interrupted = false;
        try {
            while (true) {
                try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                    names.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
