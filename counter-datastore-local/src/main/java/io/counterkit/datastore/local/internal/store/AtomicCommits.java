package io.counterkit.datastore.local.internal.store;

import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.ApiConfig;
import com.google.apphosting.api.ApiProxy.Delegate;
import com.google.apphosting.api.ApiProxy.Environment;
import com.google.apphosting.api.ApiProxy.LogRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes the commits of the local Datastore atomic and durable, between App Engine's API and the store. A commit of the
 * stub takes snapshots for other transactions while it is applied. It fails halfway if a snapshot fails, because
 * another call reads at the same time or because another transaction was ended by a conflict and is not rolled back
 * yet. So calls reach the store one at a time, and commits wait for those rollbacks. An answer is returned after the
 * state that it was read from is on disk. Ignores interrupts.
 */
public final class AtomicCommits implements Delegate<Environment> {
    /** Much longer than the time from a failed call to its rollback, which may never come. */
    private static final long ROLLBACK_NANOS = 10_000_000_000L;

    /** The code of a conflict in the store's protocol. Other failures end no transaction. */
    private static final int CONCURRENT_TRANSACTION = 2;

    private final Delegate<Environment> store;
    private final StubMemory memory;
    private final MemoryWriter writer;
    private boolean closed;

    /** Threads whose transaction the store ended because of a conflict and that have not rolled it back yet. */
    private final Set<Thread> inConflict = new HashSet<>();

    private AtomicCommits(Delegate<Environment> store, StubMemory memory, MemoryWriter writer) {
        this.store = store;
        this.memory = memory;
        this.writer = writer;
    }

    /** Makes the commits of all users of App Engine's API in this process atomic and durable. */
    @SuppressWarnings("unchecked")
    public static AtomicCommits install(StubMemory memory, MemoryWriter writer) {
        AtomicCommits installed = new AtomicCommits(ApiProxy.getDelegate(), memory, writer);
        ApiProxy.setDelegate(installed);
        return installed;
    }

    @Override
    public byte[] makeSyncCall(Environment environment, String service, String method, byte[] request) {
        try {
            Future<byte[]> sent = makeAsyncCall(environment, service, method, request, new ApiConfig());
            return Uninterruptibly.get(sent::get);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(service + "." + method + " failed", e.getCause());
        }
    }

    @Override
    public Future<byte[]> makeAsyncCall(
            Environment environment, String service, String method, byte[] request, @Nullable ApiConfig config) {
        synchronized (memory) {
            checkOpen();
            boolean isCommit = method.equals("Commit");
            if (isCommit) {
                inConflict.remove(Thread.currentThread());
                awaitRollbacks();
                checkOpen(); // close does not wait for threads that wait here
            }
            long before = memory.changes();
            Future<byte[]> sent = store.makeAsyncCall(environment, service, method, request, config);
            Answer answer = awaitAnswer(sent);
            if (method.equals("Rollback")) {
                inConflict.remove(Thread.currentThread());
                memory.notifyAll();
            } else if (answer == Answer.CONFLICT && !isCommit) {
                inConflict.add(Thread.currentThread());
            }
            long after = memory.changes();
            return after == before && isConstant(method)
                    ? sent
                    : writer.whenWritten(sent, after, config == null ? null : config.getDeadlineInSeconds());
        }
    }

    private void checkOpen() {
        writer.check();
        if (closed) {
            throw new IllegalStateException("the local Datastore is closed");
        }
    }

    /** Returns whether the answer of a method does not depend on what is stored. */
    private static boolean isConstant(String method) {
        return switch (method) {
            case "BeginTransaction", "Rollback", "Put", "Delete" -> true;
            default -> false;
        };
    }

    /**
     * Refuses further calls, and writes the changes that are not written yet. May be called again after a failure.
     *
     * @throws StoppedException if not all of them could be written
     */
    public void close() {
        long last;
        synchronized (memory) {
            closed = true;
            last = memory.changes();
        }
        writer.finish(last);
    }

    private void awaitRollbacks() {
        long start = System.nanoTime();
        while (!inConflict.isEmpty() && System.nanoTime() - start < ROLLBACK_NANOS) {
            Uninterruptibly.await(memory, 10);
        }
        inConflict.clear();
    }

    private enum Answer {
        DONE,
        CONFLICT,
        REFUSED
    }

    /** Waits for the answer, so that the store finishes this call before the next one starts. */
    private static Answer awaitAnswer(Future<byte[]> sent) {
        try {
            byte[] unused = Uninterruptibly.get(sent::get);
            return Answer.DONE;
        } catch (ExecutionException e) {
            boolean isConflict = e.getCause() instanceof ApiProxy.ApplicationException error
                    && error.getApplicationError() == CONCURRENT_TRANSACTION;
            return isConflict ? Answer.CONFLICT : Answer.REFUSED;
        }
    }

    @Override
    public void log(Environment environment, LogRecord logged) {
        store.log(environment, logged);
    }

    @Override
    public void flushLogs(Environment environment) {
        store.flushLogs(environment);
    }

    @Override
    public List<Thread> getRequestThreads(Environment environment) {
        return store.getRequestThreads(environment);
    }
}
