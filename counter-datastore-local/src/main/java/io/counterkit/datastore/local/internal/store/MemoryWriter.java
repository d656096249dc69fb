package io.counterkit.datastore.local.internal.store;

import io.counterkit.datastore.local.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes the store's memory to disk, and delays answers until then. With {@link Durability#EACH_COMMIT} it writes after
 * each change, on its own thread, which callers cannot interrupt; one write covers all changes that were made before it
 * started. After a failed write it writes nothing more, since the memory is newer than the disk. With {@link
 * Durability#WHEN_CLOSED} it writes once, at the end. Thread-safe.
 */
public final class MemoryWriter implements Runnable {
    private final StubMemory memory;
    private final StoreFile file;
    private final @Nullable Thread thread;
    private long due;
    private long written;
    private boolean ended;
    private @Nullable StoppedException stopped;

    private MemoryWriter(StubMemory memory, StoreFile file, Durability durability) {
        this.memory = memory;
        this.file = file;
        thread = durability == Durability.EACH_COMMIT ? new Thread(this, "counterkit-local-datastore") : null;
    }

    /** Starts the thread that writes, if the durability needs one. */
    public static MemoryWriter start(StubMemory memory, StoreFile file, Durability durability) {
        MemoryWriter writer = new MemoryWriter(memory, file, durability);
        if (writer.thread != null) {
            writer.thread.setDaemon(true);
            writer.thread.start();
        }
        return writer;
    }

    @Override
    public void run() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try {
            while (awaitDue()) {
                setWritten(write(copy));
            }
        } catch (IOException | RuntimeException | Error e) {
            stop(new StoppedException(file.path(), e));
        }
    }

    private long write(ByteArrayOutputStream copy) throws IOException {
        copy.reset();
        long last = memory.copyTo(copy);
        file.write(copy);
        return last;
    }

    private synchronized boolean awaitDue() {
        while (due <= written && !ended) {
            Uninterruptibly.await(this, 0);
        }
        return due > written;
    }

    private synchronized void setWritten(long change) {
        written = change;
        notifyAll();
    }

    private synchronized void stop(StoppedException reason) {
        stopped = reason;
        notifyAll();
    }

    private synchronized void setDue(long change) {
        due = Math.max(due, change);
        notifyAll();
    }

    /** Throws a {@link StoppedException} if a write failed. */
    synchronized void check() {
        if (stopped != null) {
            Throwable cause = stopped.getCause();
            throw new StoppedException(file.path(), cause == null ? stopped : cause);
        }
    }

    /**
     * Returns an answer of the store that is available after the state that it was read from is on disk, if the
     * durability requires that.
     *
     * @param answer the store's answer
     * @param change the last change before the answer was taken
     * @param seconds how long the caller waits; null without a limit
     */
    Future<byte[]> whenWritten(Future<byte[]> answer, long change, @Nullable Double seconds) {
        if (thread == null) {
            return answer;
        }
        setDue(change);
        return new WrittenAnswer(answer, this, change, seconds);
    }

    /** Returns whether a change is on disk or never will be. */
    synchronized boolean isDecided(long change) {
        return written >= change || stopped != null;
    }

    /**
     * Waits until a change is on disk. Ignores interrupts.
     *
     * @return whether it is; false if the time ran out
     * @throws StoppedException if it could not be written
     */
    synchronized boolean awaitWritten(long change, long nanos) {
        long start = System.nanoTime();
        long left = nanos;
        while (written < change) {
            check();
            if (left <= 0) {
                return false;
            }
            Uninterruptibly.await(this, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            left = nanos - (System.nanoTime() - start);
        }
        return true;
    }

    /**
     * Writes all changes that are not written yet. Ignores interrupts. May be called again after a failure.
     *
     * @param change the last change
     * @throws StoppedException if not all of them could be written
     */
    void finish(long change) {
        if (thread != null) {
            setDue(change);
            awaitWritten(change, Long.MAX_VALUE);
        } else if (change > 0) {
            try {
                long unused = write(new ByteArrayOutputStream());
            } catch (IOException e) {
                throw new StoppedException(file.path(), e);
            }
        }
    }

    /** Ends the thread. */
    public void end() {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        if (thread != null) {
            Uninterruptibly.join(thread);
        }
    }
}
