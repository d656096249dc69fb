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

/**
 * Stands between App Engine's API and the local Datastore, and makes its commits atomic and durable. By itself a commit
 * takes snapshots for other transactions while it is applied, and fails in the middle if that fails: where others read
 * meanwhile, or where the transaction of one of them was ended by a conflict and is not rolled back yet. So calls reach
 * the store one at a time, and commits wait for those rollbacks.
 */
final class AtomicCommits implements Delegate<Environment> {
    /** Brings what the store holds to where it survives. */
    interface Written {
        void write();
    }

    /** Far longer than a thread needs from its failed call to its rollback; one that never comes must not stop others. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /** How the store tells of a conflict, in its protocol. Other failures end no transaction. */
    private static final int CONCURRENT_TRANSACTION = 2;

    private final Delegate<Environment> store;
    private final Written written;
    private final Object turn = new Object();

    /** Threads whose transaction the store has ended because of a conflict, and who have not rolled back yet. */
    private final Set<Thread> ended = new HashSet<>();

    private long changes;
    private long changesWritten;
    private final Object writing = new Object();

    private AtomicCommits(Delegate<Environment> store, Written written) {
        this.store = store;
        this.written = written;
    }

    @SuppressWarnings("unchecked")
    static void install(Written written) {
        ApiProxy.setDelegate(new AtomicCommits(ApiProxy.getDelegate(), written));
    }

    @Override
    public byte[] makeSyncCall(Environment environment, String service, String method, byte[] request) {
        try {
            return makeAsyncCall(environment, service, method, request, new ApiConfig())
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new IllegalStateException(service + "." + method + " failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiProxy.CancelledException(service, method);
        }
    }

    @Override
    public Future<byte[]> makeAsyncCall(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        long change;
        Future<byte[]> sent;
        synchronized (turn) {
            boolean isCommit = method.equals("Commit");
            if (isCommit) {
                ended.remove(Thread.currentThread());
                awaitRollbacks();
            }
            sent = store.makeAsyncCall(environment, service, method, request, config);
            Answer answer = awaitAnswer(sent);
            if (method.equals("Rollback")) {
                ended.remove(Thread.currentThread());
                turn.notifyAll();
            } else if (answer == Answer.CONFLICT && !isCommit) {
                ended.add(Thread.currentThread());
            }
            change = answer == Answer.DONE && !isRead(method) ? ++changes : 0;
        }
        awaitWritten(change);
        return sent;
    }

    private static boolean isRead(String method) {
        return switch (method) {
            case "Get", "RunQuery", "Next", "Count", "BeginTransaction", "Rollback" -> true;
            default -> false;
        };
    }

    private void awaitRollbacks() {
        long patience = System.nanoTime() + PATIENCE_NANOS;
        try {
            while (!ended.isEmpty() && System.nanoTime() - patience < 0) {
                turn.wait(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.clear();
    }

    /** Returns once this change is written, by this thread or by one that wrote for others too. */
    private void awaitWritten(long change) {
        synchronized (writing) {
            if (change > changesWritten) {
                synchronized (turn) {
                    written.write();
                    changesWritten = changes;
                }
            }
        }
    }

    private enum Answer {
        DONE,
        CONFLICT,
        REFUSED
    }

    /** What became of it; whoever sent it is told by itself. */
    private static Answer awaitAnswer(Future<byte[]> sent) {
        try {
            sent.get();
            return Answer.DONE;
        } catch (ExecutionException e) {
            boolean isConflict = e.getCause() instanceof ApiProxy.ApplicationException told
                    && told.getApplicationError() == CONCURRENT_TRANSACTION;
            return isConflict ? Answer.CONFLICT : Answer.REFUSED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.DONE;
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
