package io.counterkit.samples.h2;

import io.counterkit.samples.h2.Database.NotConnectedException;
import io.counterkit.tck.FaultQueue;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.h2.api.ErrorCode;

/** Disturbs transactions. Each one is a call: H2 runs in this process, so connecting and rolling back are no calls. */
final class FaultyWire implements Wire {
    private final FaultQueue faults = new FaultQueue();

    FaultQueue faults() {
        return faults;
    }

    // docs: inject
    @Override
    public <T> T call(Callable<T> transaction) throws Exception {
        FaultQueue.PendingFault hit = faults.next();
        if (hit == null) {
            return transaction.call();
        }
        return switch (hit.fault()) {
            case FAIL_BEFORE -> throw new NotConnectedException(new SQLException("injected"));
            case LOSE_REPLY -> {
                transaction.call();
                throw new SQLException("injected", "08006", ErrorCode.CONNECTION_BROKEN_1);
            }
            case HOLD -> hit.hold(transaction::call); // before the transaction begins: it holds no lock
        };
    }
    // docs: end
}
