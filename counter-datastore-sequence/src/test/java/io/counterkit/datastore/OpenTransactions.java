package io.counterkit.datastore;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * The transactions that a client was told to have begun, and whose commit or rollback it has not asked for since. One whose
 * beginning it was never told it cannot end, so that is not among them. Thread-safe.
 */
final class OpenTransactions {
    /** In the protocol a transaction begins with its handle, of 64 bits, both where it is told and where it is named. */
    private static final int HANDLE = 1 << 3 | 1;

    private final Set<Long> handles = ConcurrentHashMap.newKeySet();

    /** Takes in the answer that a client gets to what it asked for. */
    void answered(String method, byte[] request, Future<byte[]> reply) {
        if (method.equals("Commit") || method.equals("Rollback")) {
            handles.remove(handle(request));
        } else if (method.equals("BeginTransaction") && reply.isDone()) {
            try {
                handles.add(handle(reply.get()));
            } catch (ExecutionException e) {
                // None was begun, or its client is not told.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long handle(byte[] transaction) {
        ByteBuffer message = ByteBuffer.wrap(transaction).order(ByteOrder.LITTLE_ENDIAN);
        if (message.get() != HANDLE) {
            throw new IllegalArgumentException("a transaction that does not begin with its handle");
        }
        return message.getLong();
    }

    Set<Long> handles() {
        return Set.copyOf(handles);
    }
}
