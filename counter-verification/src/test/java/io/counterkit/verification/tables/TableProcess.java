package io.counterkit.verification.tables;

import io.counterkit.CounterException;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.BlockingCalls;
import io.counterkit.spi.BlockingCalls.Failure;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.tck.FaultQueue;
import io.counterkit.verification.tables.Table.Undo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The connections of one process. */
final class TableProcess implements AutoCloseable {
    private static final int CONNECTIONS = 10;

    final Tables tables;
    private final Semaphore connections = new Semaphore(CONNECTIONS);
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tables");
        thread.setDaemon(true);
        return thread;
    });
    private final BlockingCalls calls;

    /** The transaction was not begun. */
    private static final class NotConnectedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    TableProcess(Tables tables) {
        this.tables = tables;
        this.calls = BlockingCalls.on(
                "tables",
                threads,
                Backoff.between(Duration.ofMillis(1), Duration.ofMillis(20)),
                failure -> failure instanceof NotConnectedException ? Failure.TRANSIENT : Failure.UNKNOWN);
    }

    <T> CompletableFuture<T> change(String what, Commit commit, Function<Undo, T> transaction) {
        return calls.change(what, commit, () -> call(what, transaction));
    }

    <T> CompletableFuture<T> read(String what, Call call, Function<Undo, T> transaction) {
        return calls.read(what, call, () -> call(what, transaction));
    }

    /** Runs a transaction on a connection. A fault hits it before it begins or after its commit. */
    private <T> T call(String what, Function<Undo, T> transaction) throws Exception {
        if (!connections.tryAcquire(2, TimeUnit.SECONDS)) {
            throw new NotConnectedException();
        }
        boolean isReleased = false;
        try {
            T result = sent(() -> tables.transact(transaction));
            if (!Boolean.FALSE.equals(result) || !tables.mistake.leaks(what)) {
                isReleased = true;
            }
            return result;
        } catch (CounterException | NotConnectedException e) {
            isReleased = !tables.mistake.leaks(what);
            throw e;
        } catch (Exception e) {
            isReleased = true;
            throw e;
        } finally {
            if (isReleased) {
                connections.release();
            }
        }
    }

    private <T> T sent(FaultQueue.BlockingCall<T, Exception> call) throws Exception {
        FaultQueue.PendingFault hit = tables.faults.next();
        if (hit == null) {
            return call.run();
        }
        switch (hit.fault()) {
            case FAIL_BEFORE -> throw new NotConnectedException();
            case LOSE_REPLY -> {
                call.run();
                throw new IllegalStateException("the reply was lost");
            }
            default -> {
                return hit.hold(call);
            }
        }
    }

    @Override
    public void close() {
        calls.close();
        threads.shutdown();
    }
}
