package io.counterkit.datastore.local;

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
 * Stands between App Engine's API and the local Datastore, and makes its commits atomic and durable. By itself a commit
 * takes snapshots for other transactions while it is applied, and fails in the middle if that fails: where others read
 * meanwhile, or where the transaction of one of them was ended by a conflict and is not rolled back yet. So calls reach
 * the store one at a time, and commits wait for those rollbacks. What the store answers from memory is given to the
 * caller once that memory is on disk. Nothing here can be interrupted.
 */
final class AtomicCommits implements Delegate<Environment> {
    /** Far longer than a thread needs from its failed call to its rollback; one that never comes must not stop others. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /** How the store tells of a conflict, in its protocol. Other failures end no transaction. */
    private static final int CONCURRENT_TRANSACTION = 2;

    private final Delegate<Environment> store;
    private final StubMemory memory;
    private final Writing writing;
    private boolean closed;

    /** Threads whose transaction the store has ended because of a conflict, and who have not rolled back yet. */
    private final Set<Thread> ended = new HashSet<>();

    private AtomicCommits(Delegate<Environment> store, StubMemory memory, Writing writing) {
        this.store = store;
        this.memory = memory;
        this.writing = writing;
    }

    @SuppressWarnings("unchecked")
    static AtomicCommits install(StubMemory memory, Writing writing) {
        AtomicCommits installed = new AtomicCommits(ApiProxy.getDelegate(), memory, writing);
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
                ended.remove(Thread.currentThread());
                awaitRollbacks();
                checkOpen(); // closing does not wait for those that wait here
            }
            long before = memory.changes();
            Future<byte[]> sent = store.makeAsyncCall(environment, service, method, request, config);
            Answer answer = awaitAnswer(sent);
            if (method.equals("Rollback")) {
                ended.remove(Thread.currentThread());
                memory.notifyAll();
            } else if (answer == Answer.CONFLICT && !isCommit) {
                ended.add(Thread.currentThread());
            }
            long after = memory.changes();
            return after == before && tellsNothing(method)
                    ? sent
                    : writing.whenWritten(sent, after, config == null ? null : config.getDeadlineInSeconds());
        }
    }

    private void checkOpen() {
        writing.check();
        if (closed) {
            throw new IllegalStateException("the local Datastore is closed");
        }
    }

    /** Whether the answer is the same whatever is stored, unless the call changed it. */
    private static boolean tellsNothing(String method) {
        return switch (method) {
            case "BeginTransaction", "Rollback", "Put", "Delete" -> true;
            default -> false;
        };
    }

    /**
     * Refuses further calls, and writes what is not written yet. May be called again after a failure.
     *
     * @throws StoppedException if not everything could be written
     */
    void close() {
        long last;
        synchronized (memory) {
            closed = true;
            last = memory.changes();
        }
        writing.finish(last);
    }

    private void awaitRollbacks() {
        long began = System.nanoTime();
        while (!ended.isEmpty() && System.nanoTime() - began < PATIENCE_NANOS) {
            Uninterruptibly.await(memory, 10);
        }
        ended.clear();
    }

    private enum Answer {
        DONE,
        CONFLICT,
        REFUSED
    }

    /** Waits for the answer, so that the store does nothing for this caller when the next one has its turn. */
    private static Answer awaitAnswer(Future<byte[]> sent) {
        try {
            byte[] unused = Uninterruptibly.get(sent::get);
            return Answer.DONE;
        } catch (ExecutionException e) {
            boolean isConflict = e.getCause() instanceof ApiProxy.ApplicationException told
                    && told.getApplicationError() == CONCURRENT_TRANSACTION;
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
