package io.counterkit.samples.h2;

import io.counterkit.samples.h2.Database.NotConnectedException;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Disturbs transactions. Each one is a call: H2 runs in this process, so connecting and rolling back are no calls. */
final class FaultyWire implements Wire, FaultInjector {
    private final List<Injected> waiting = new ArrayList<>();

    // docs: inject
    @Override
    public <T> T call(Callable<T> transaction) throws Exception {
        Injected fault = next();
        if (fault == null) {
            return transaction.call();
        }
        switch (fault.fault) {
            case FAIL_BEFORE -> throw new NotConnectedException(new SQLException("injected"));
            case LOSE_REPLY -> {
                transaction.call();
                throw new SQLException("injected", "08006", ErrorCode.CONNECTION_BROKEN_1);
            }
            case HOLD -> {
                fault.released.await(); // before the transaction begins: it holds no lock
                try {
                    return transaction.call();
                } finally {
                    fault.isCarriedOut.countDown();
                }
            }
        }
        throw new IllegalStateException("fault " + fault.fault);
    }
    // docs: end

    /** Counts a call for each fault that waits, and returns the first one whose turn it is. */
    private synchronized @Nullable Injected next() {
        Injected hit = null;
        for (Injected fault : waiting) {
            fault.callsLeft--;
            if (hit == null && fault.callsLeft <= 0) {
                hit = fault;
                fault.isHit = true;
            }
        }
        waiting.remove(hit);
        return hit;
    }

    @Override
    public synchronized InjectedFault inject(StoreFault fault, int call) {
        Injected injected = new Injected(fault, call);
        waiting.add(injected);
        return injected;
    }

    private final class Injected implements InjectedFault {
        private final StoreFault fault;
        private final CountDownLatch released = new CountDownLatch(1);
        private final CountDownLatch isCarriedOut = new CountDownLatch(1);
        private int callsLeft;
        private boolean isHit;

        Injected(StoreFault fault, int call) {
            this.fault = fault;
            this.callsLeft = call;
        }

        @Override
        public boolean isHit() {
            synchronized (FaultyWire.this) {
                return isHit;
            }
        }

        @Override
        public void close() {
            synchronized (FaultyWire.this) {
                waiting.remove(this);
            }
            released.countDown();
            if (fault == StoreFault.HOLD && isHit()) {
                awaitCarriedOut();
            }
        }

        private void awaitCarriedOut() {
            try {
                isCarriedOut.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
