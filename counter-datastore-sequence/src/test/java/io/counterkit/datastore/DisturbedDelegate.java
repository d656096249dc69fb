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

/** Stands between the App Engine API and the store, where every call passes, and disturbs some. Thread-safe. */
public final class DisturbedDelegate implements Delegate<Environment> {
    /** Which calls to disturb. */
    public interface Rule {
        /** What happens to a call of this method; null for nothing. */
        @Nullable Disturbance of(String method);
    }

    private static final double LONGEST_SECONDS = 30;

    /** On a busy machine a thread may get its turn late. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    /** How the store tells of a conflict, in its protocol. */
    private static final int CONCURRENT_TRANSACTION = 2;

    private final Object oneAtATime = new Object();

    /** Threads whose transaction the store has ended because of a conflict, and who have not rolled back yet. */
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
     * Puts itself between the API and its current delegate, and sees to it that commits are atomic. In the local
     * Datastore they are not, since a commit takes snapshots for other transactions while it is applied, and fails in the
     * middle if that fails: where a read writes meanwhile, as it does with unapplied jobs, or where one of the others
     * was ended by a conflict and is not rolled back yet. So calls reach the store one at a time, and commits wait for
     * those rollbacks.
     */
    @SuppressWarnings("unchecked")
    static DisturbedDelegate install() {
        DisturbedDelegate delegate = new DisturbedDelegate(ApiProxy.getDelegate());
        ApiProxy.setDelegate(delegate);
        return delegate;
    }

    /** The same again, after the store below was started anew. */
    @SuppressWarnings("unchecked")
    void installAgain() {
        store = ApiProxy.getDelegate();
        ApiProxy.setDelegate(this);
    }

    public void disturb(Rule calls) {
        synchronized (held) {
            holds = true;
        }
        rule.set(calls);
    }

    /** Disturbs nothing any more, and carries out what is held. */
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

    /** How many calls were made in all. */
    public int calls() {
        return calls.get();
    }

    /** The deadlines that calls had, in seconds. */
    Set<Double> deadlines() {
        return deadlines;
    }

    /** Fails if there is a transaction that its client could have ended, and did not; of work that is done. */
    public void assertAllTransactionsAreEnded() {
        assertThat(open.handles())
                .as("transactions whose beginning was told, and whose commit or rollback was never asked for")
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
                return sent; // nobody may be told that it was committed
            }
        }
        return CompletableFuture.failedFuture(disturbance.error().exception(method));
    }

    private Future<byte[]> send(
            Environment environment, String service, String method, byte[] request, ApiConfig config) {
        synchronized (oneAtATime) {
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
                oneAtATime.wait(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.clear(); // who has not done it by now had nothing to roll back
    }

    /**
     * Whether the store has ended this thread's transaction. The local Datastore refuses all other commits to what the
     * transaction had read until it was rolled back, so its rollback always arrives; only the reply gets lost.
     */
    private boolean isEnded() {
        synchronized (oneAtATime) {
            return ended.contains(Thread.currentThread());
        }
    }

    /** Whether that is its answer, which is waited for: whatever else fails ends no transaction. */
    private static boolean isConflict(Future<byte[]> call) {
        try {
            call.get();
            return false;
        } catch (ExecutionException e) {
            return e.getCause() instanceof ApiProxy.ApplicationException told
                    && told.getApplicationError() == CONCURRENT_TRANSACTION;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void rolledBack() {
        synchronized (oneAtATime) {
            ended.remove(Thread.currentThread());
            oneAtATime.notifyAll();
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

    /** Whether it was carried out. */
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

    /** A call that reaches the store when it is released. Whoever waits gives up at the deadline of the call. */
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
                throw new ExecutionException(Disturbance.Told.DEADLINE_EXCEEDED.exception("held"));
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
