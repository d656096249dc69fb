package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.counterkit.cli.console.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds the position of an ingest, which a process writes while it has the file locked. Two slots are
 * written in turn, so that one is whole whenever the process or the machine stops.
 */
final class PositionFile implements Closeable {
    private static final int SLOT_BYTES = 512;

    private final Path path;
    private final FileChannel channel;
    private long writes;
    private @Nullable Position position;
    private boolean isDamaged;

    private PositionFile(Path path, FileChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        String first = text(0);
        read(first);
        read(text(1));
        // The first slot is written second, once the other one is on the disk.
        isDamaged = position == null && !first.isEmpty();
    }

    /** Returns the path for an input that is counted into a store. */
    static Path path(Path directory, Path input, String store) {
        return directory.resolve(UUID.nameUUIDFromBytes((input + "\n" + store).getBytes(UTF_8)) + ".position");
    }

    /** Opens or creates a file. Returns null if another process has it open. */
    static @Nullable PositionFile open(Path path) throws IOException {
        Files.createDirectories(path.toAbsolutePath().getParent());
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        PositionFile file = null;
        try {
            boolean isHeld = channel.tryLock() == null || Files.notExists(path); // deleted by a run that is ending
            file = isHeld ? null : new PositionFile(path, channel);
        } finally {
            if (file == null) {
                channel.close();
            }
        }
        return file;
    }

    /** Returns the last position; null if there is none. */
    @Nullable Position position() {
        return position;
    }

    /** Returns where the file is. */
    Path path() {
        return path;
    }

    /** Returns whether there was a position that cannot be read. */
    boolean isDamaged() {
        return isDamaged;
    }

    private void read(String text) {
        String[] parts = text.split(";", -1);
        if (parts.length == 3 && parts[2].equals(checksum(parts[0], parts[1])) && Long.parseLong(parts[0]) > writes) {
            writes = Long.parseLong(parts[0]);
            position = Json.read(parts[1], Position.class);
        }
    }

    private String text(int slot) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
        channel.read(bytes, (long) slot * SLOT_BYTES);
        return new String(bytes.array(), 0, bytes.position(), US_ASCII).trim();
    }

    private static String checksum(String number, String json) {
        CRC32C checksum = new CRC32C();
        checksum.update((number + ";" + json).getBytes(US_ASCII));
        return Long.toHexString(checksum.getValue());
    }

    /** Writes a position to the disk. */
    void write(Position next) throws IOException {
        String number = String.valueOf(++writes);
        String json = Json.object().withAll(next).toString();
        String text = String.join(";", number, json, checksum(number, json));
        ByteBuffer bytes = ByteBuffer.wrap((text + " ".repeat(SLOT_BYTES - text.length())).getBytes(US_ASCII));
        long start = writes % 2 * SLOT_BYTES;
        while (bytes.hasRemaining()) {
            channel.write(bytes, start + bytes.position());
        }
        channel.force(false);
        position = next;
        isDamaged = false;
    }

    /** Discards the position, so that {@link #close} deletes the file. */
    void forget() {
        position = null;
    }

    @Override
    public void close() throws IOException {
        if (position == null && !isDamaged) {
            // Before the lock is released: after that, the file may be the one of another run.
            Files.deleteIfExists(path);
        }
        channel.close();
    }
}
