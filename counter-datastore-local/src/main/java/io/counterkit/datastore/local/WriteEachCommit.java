package io.counterkit.datastore.local;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes after each change, on a thread of its own, which no caller can interrupt. One write covers all changes that were
 * made before it began. After a failed write nothing is written any more, since the memory is ahead of the disk.
 */
final class WriteEachCommit implements Writing, Runnable {
    private final StubMemory memory;
    private final StoreFile file;
    private final Thread thread;
    private long due;
    private long written;
    private boolean ended;
    private @Nullable StoppedException stopped;

    private WriteEachCommit(StubMemory memory, StoreFile file) {
        this.memory = memory;
        this.file = file;
        thread = new Thread(this, "counterkit-local-datastore");
        thread.setDaemon(true);
    }

    static WriteEachCommit start(StubMemory memory, StoreFile file) {
        WriteEachCommit writer = new WriteEachCommit(memory, file);
        writer.thread.start();
        return writer;
    }

    @Override
    public void run() {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try {
            while (awaitDue()) {
                copy.reset();
                long last = memory.copyTo(copy);
                file.write(copy);
                written(last);
            }
        } catch (IOException | RuntimeException | Error e) {
            stop(new StoppedException(file.path(), e));
        }
    }

    private synchronized boolean awaitDue() {
        while (due <= written && !ended) {
            Uninterruptibly.await(this, 0);
        }
        return due > written;
    }

    private synchronized void written(long change) {
        written = change;
        notifyAll();
    }

    private synchronized void stop(StoppedException reason) {
        stopped = reason;
        notifyAll();
    }

    @Override
    public synchronized void check() {
        if (stopped != null) {
            throw new StoppedException(file.path(), cause(stopped));
        }
    }

    private static Throwable cause(StoppedException stopped) {
        return stopped.getCause() == null ? stopped : stopped.getCause();
    }

    @Override
    public Future<byte[]> whenWritten(Future<byte[]> answer, long change, @Nullable Double seconds) {
        synchronized (this) {
            if (change > due) {
                due = change;
                notifyAll();
            }
        }
        return new WrittenAnswer(answer, this, change, seconds);
    }

    /** Returns whether it is known that a change is on disk, or never will be. */
    synchronized boolean isDecided(long change) {
        return written >= change || stopped != null;
    }

    /**
     * Waits until a change is on disk. Cannot be interrupted.
     *
     * @return whether it is; false if the time ran out
     * @throws StoppedException if it could not be written
     */
    synchronized boolean awaitWritten(long change, long nanos) {
        long began = System.nanoTime();
        long left = nanos;
        while (written < change) {
            check();
            if (left <= 0) {
                return false;
            }
            Uninterruptibly.await(this, Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            left = nanos - (System.nanoTime() - began);
        }
        return true;
    }

    @Override
    public void finish(long change) {
        synchronized (this) {
            due = Math.max(due, change);
            notifyAll();
        }
        awaitWritten(change, Long.MAX_VALUE);
    }

    @Override
    public void end() {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        Uninterruptibly.join(thread);
    }
}
