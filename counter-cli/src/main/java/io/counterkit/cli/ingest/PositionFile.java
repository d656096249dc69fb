package io.counterkit.cli.ingest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonParseException;
import io.counterkit.cli.console.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds the position of an ingest, which a process writes while it has the file locked. Each position is
 * a line after those before it, so that the last one that is whole is right whenever the process or the machine stops.
 */
final class PositionFile implements Closeable {
    /** More than one position takes. A shorter file without one was left before anything was sent. */
    private static final int LONGEST = 512;

    private final Path path;
    private final FileChannel channel;
    private @Nullable Position position;
    private boolean isDamaged;

    private PositionFile(Path path, FileChannel channel) throws IOException {
        this.path = path;
        this.channel = channel;
        String text = new String(Channels.newInputStream(channel).readAllBytes(), US_ASCII);
        text.lines().forEach(this::read);
        isDamaged = position == null && text.length() > LONGEST;
    }

    private void read(String line) {
        try {
            Position read = Json.read(line, Position.class);
            position = read == null ? position : read;
        } catch (JsonParseException e) {
            // Only a part of it was written.
        }
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

    /** Writes a position to the disk. */
    void write(Position next) throws IOException {
        // A part of a line may be before it.
        ByteBuffer line = ByteBuffer.wrap(("\n" + Json.object().withAll(next)).getBytes(US_ASCII));
        while (line.hasRemaining()) {
            channel.write(line);
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
