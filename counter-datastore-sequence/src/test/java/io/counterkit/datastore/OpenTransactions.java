package io.counterkit.datastore;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * The transactions that clients began and neither committed nor rolled back yet. A client cannot end a transaction if the
 * reply to its begin was lost, so that is not counted. Thread-safe.
 */
final class OpenTransactions {
    /** A transaction in the protocol starts with its handle of 64 bits, in requests and in replies. */
    private static final int HANDLE = 1 << 3 | 1;

    private final Set<Long> handles = ConcurrentHashMap.newKeySet();

    /** Records a call and its reply. */
    void answered(String method, byte[] request, Future<byte[]> reply) {
        if (method.equals("Commit") || method.equals("Rollback")) {
            handles.remove(handle(request));
        } else if (method.equals("BeginTransaction") && reply.isDone()) {
            try {
                handles.add(handle(reply.get()));
            } catch (ExecutionException e) {
                // none was begun, or the reply was lost
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long handle(byte[] transaction) {
        ByteBuffer message = ByteBuffer.wrap(transaction).order(ByteOrder.LITTLE_ENDIAN);
        if (message.get() != HANDLE) {
            throw new IllegalArgumentException("a transaction that does not start with its handle");
        }
        return message.getLong();
    }

    Set<Long> handles() {
        return Set.copyOf(handles);
    }
}
