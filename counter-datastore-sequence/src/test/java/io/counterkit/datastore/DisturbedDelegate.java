package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.apphosting.api.ApiProxy;
import com.google.apphosting.api.ApiProxy.ApiConfig;
import com.google.apphosting.api.ApiProxy.Delegate;
import com.google.apphosting.api.ApiProxy.Environment;
import com.google.apphosting.api.ApiProxy.LogRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Injects faults into calls between the App Engine API and the store. Thread-safe. */
public final class DisturbedDelegate implements Delegate<Environment> {
    /** Decides which calls to disturb. */
    public interface Rule {
        /** Returns the fault of a call of a method, or null. */
        @Nullable Disturbance of(String method);
    }

    /** How long the end of a transaction lasts whose reply does not come: the API gives it no deadline. */
    private static final double LONGEST_SECONDS = 1;

    /** Longer than transactions last that are not held. */
    private static final long RESTART_PATIENCE_NANOS = 1_000_000_000L;

    /** Longer than a thread waits for its turn on a busy machine. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /** The code of a conflict in the store's protocol. */
    private static final int CONCURRENT_TRANSACTION = 2;

    private final Object storeLock = new Object();

    /** Threads whose transaction the store ended because of a conflict and that have not rolled it back yet. */
    private final Set<Thread> ended = new HashSet<>();

    private volatile Delegate<Environment> store;
    private final AtomicReference<Rule> rule = new AtomicReference<>(method -> null);
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Double> deadlines = ConcurrentHashMap.newKeySet();
    private final OpenTransactions open = new OpenTransactions();
    private final List<Held> held = new ArrayList<>();
    private boolean holds = true;

    private DisturbedDelegate(Delegate<Environment> store) {
        this.store = store;
    }

    /**
     * Installs itself between the API and its current delegate, and makes commits atomic. In the local Datastore they are
     * not: a commit takes snapshots for other transactions while it is applied, and fails halfway if a snapshot fails,
     * because a read writes meanwhile, as it does with unapplied jobs, or because a conflict ended another transaction that
     * is not rolled back yet. So calls reach the store one at a time, and commits wait for those rollbacks.
     */
    @SuppressWarnings("unchecked")
    static DisturbedDelegate install() {
        DisturbedDelegate delegate = new DisturbedDelegate(ApiProxy.getDelegate());
        ApiProxy.setDelegate(delegate);
        return delegate;
    }

    /** Restarts the store between two calls, and between two transactions unless one lasts long. */
    @SuppressWarnings("unchecked")
    void restart(Runnable restart) {
        synchronized (storeLock) {
            long patience = System.nanoTime() + RESTART_PATIENCE_NANOS;
            try {
                while (!open.handles().isEmpty() && System.nanoTime() - patience < 0) {
                    storeLock.wait(10);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            restart.run();
            store = ApiProxy.getDelegate();
            ApiProxy.setDelegate(this);
        }
    }

    public void disturb(Rule calls) {
        synchronized (held) {
            holds = true;
        }
        rule.set(calls);
    }

    /** Stops disturbing calls, and carries out the calls that are held. */
    public void release() {
        rule.set(method -> null);
        List<Held> released;
        synchronized (held) {
            holds = false;
            released = List.copyOf(held);
            held.clear();
        }
        released.forEach(Held::carryOut);
    }

    /** Returns how many calls were made in all. */
    public int calls() {
        return calls.get();
    }

    /** Returns the deadlines of calls, in seconds. */
    Set<Double> deadlines() {
        return deadlines;
    }

    /** Fails if a client did not end a transaction that it could have ended. */
    public void assertAllTransactionsAreEnded() {
        assertThat(open.handles())
                .as("transactions that a client began and neither committed nor rolled back")
                .isEmpty();
    }

    @Override
    public byte[] makeSyncCall(Environment environment, String service, String method, byte[] request) {
        return join(makeAsyncCall(environment, service, method, request, new ApiConfig()));
    }

    @Override
    public Future<byte[]> makeAsyncCall(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        if (!service.startsWith("datastore")) {
            return store.makeAsyncCall(environment, service, method, request, config);
        }
        calls.incrementAndGet();
        if (config.getDeadlineInSeconds() != null) {
            deadlines.add(config.getDeadlineInSeconds());
        }
        try {
            Future<byte[]> reply = disturbed(environment, service, method, request, config);
            open.answered(method, request, reply);
            return reply;
        } finally {
            if (method.equals("Rollback")) {
                rolledBack();
            }
        }
    }

    private Future<byte[]> disturbed(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        Disturbance disturbance = rule.get().of(method);
        if (disturbance == null) {
            return send(environment, service, method, request, config);
        }
        if (method.equals("Rollback") && isEnded()) {
            boolean unused = awaitQuietly(send(environment, service, method, request, config));
            return CompletableFuture.failedFuture(disturbance.error().exception(method));
        }
        if (disturbance.isHeld()) {
            return hold(new Held(() -> send(environment, service, method, request, config), config));
        }
        if (disturbance.isCarriedOut()) {
            Future<byte[]> sent = send(environment, service, method, request, config);
            if (!awaitQuietly(sent)) {
                return sent; // it may not be reported as committed
            }
        }
        return CompletableFuture.failedFuture(disturbance.error().exception(method));
    }

    private Future<byte[]> send(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        synchronized (storeLock) {
            if (method.equals("Commit")) {
                awaitRollbacks();
            }
            Future<byte[]> sent = store.makeAsyncCall(environment, service, method, request, config);
            if (isConflict(sent) && !method.equals("Commit")) {
                ended.add(Thread.currentThread());
            }
            return sent;
        }
    }

    private void awaitRollbacks() {
        ended.remove(Thread.currentThread());
        long patience = System.nanoTime() + PATIENCE_NANOS;
        try {
            while (!ended.isEmpty() && System.nanoTime() - patience < 0) {
                storeLock.wait(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.clear(); // the others had nothing to roll back
    }

    /**
     * Returns whether the store has ended this thread's transaction. Until that is rolled back, the local Datastore refuses
     * other commits to what it had read. So its rollback always arrives; only the reply is lost.
     */
    private boolean isEnded() {
        synchronized (storeLock) {
            return ended.contains(Thread.currentThread());
        }
    }

    /** Waits for an answer and returns whether it is a conflict. Other failures end no transaction. */
    private static boolean isConflict(Future<byte[]> call) {
        try {
            call.get();
            return false;
        } catch (ExecutionException e) {
            return e.getCause() instanceof ApiProxy.ApplicationException error
                    && error.getApplicationError() == CONCURRENT_TRANSACTION;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void rolledBack() {
        synchronized (storeLock) {
            ended.remove(Thread.currentThread());
            storeLock.notifyAll();
        }
    }

    private Future<byte[]> hold(Held call) {
        synchronized (held) {
            if (holds) {
                held.add(call);
                return call;
            }
        }
        call.carryOut();
        return call;
    }

    /** Waits for a call and returns whether it succeeded. */
    private static boolean awaitQuietly(Future<byte[]> call) {
        try {
            call.get();
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static byte[] join(Future<byte[]> call) {
        try {
            return call.get();
        } catch (ExecutionException e) {
            throw (RuntimeException) e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiProxy.CancelledException("datastore_v3", "interrupted");
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

    /** A call that reaches the store when it is released. Its caller gives up at its deadline. */
    private static final class Held implements Future<byte[]> {
        private final Supplier<Future<byte[]>> call;
        private final CountDownLatch released = new CountDownLatch(1);
        private final double seconds;
        private @Nullable Future<byte[]> reply;

        Held(Supplier<Future<byte[]>> call, ApiConfig config) {
            this.call = call;
            this.seconds = config.getDeadlineInSeconds() == null
                    ? LONGEST_SECONDS
                    : Math.min(LONGEST_SECONDS, config.getDeadlineInSeconds());
        }

        void carryOut() {
            Future<byte[]> sent = call.get();
            boolean unused = awaitQuietly(sent);
            reply = sent;
            released.countDown();
        }

        @Override
        public byte[] get() throws InterruptedException, ExecutionException {
            if (!released.await((long) (seconds * 1e9), TimeUnit.NANOSECONDS)) {
                throw new ExecutionException(Disturbance.StoreError.DEADLINE_EXCEEDED.exception("held"));
            }
            return reply.get();
        }

        @Override
        public byte[] get(long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            if (!released.await(timeout, unit)) {
                throw new TimeoutException();
            }
            return reply.get();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public boolean isDone() {
            return released.getCount() == 0;
        }
    }
}
