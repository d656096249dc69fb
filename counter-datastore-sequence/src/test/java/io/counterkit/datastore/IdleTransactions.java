package io.counterkit.datastore;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The open transactions of a proxy, each with the time since when no call uses it. The API cannot roll back a transaction
 * whose commit was lost, so its locks last until the store ends it as idle: in the emulator after a minute, which cannot be
 * configured. The proxy ends it after a few seconds. Thread-safe.
 */
final class IdleTransactions {
    /** Longer than the emulator waits for a lock (two seconds), so that a client in contention sees at least one failure. */
    static final Duration LONGEST = Duration.ofSeconds(3);

    private static final int FIELD_1 = 1 << 3 | 2;
    private static final int FIELD_2 = 2 << 3 | 2;

    /** Since when each transaction is idle, in nanoseconds. */
    private final Map<ByteBuffer, Long> idleSince = new ConcurrentHashMap<>();

    /** Records that the store is about to carry out a call: its transaction is not idle. */
    void before(String method, byte[] request) {
        ByteBuffer transaction = transaction(method, request);
        if (transaction != null) {
            idleSince.remove(transaction);
        }
    }

    /** Records that the store has carried out a call, whether or not its client gets the reply. */
    void after(String method, byte[] request, boolean isOk, byte[] reply) {
        boolean begins = method.equals("beginTransaction");
        if (isOk ? method.equals("commit") || method.equals("rollback") : begins) {
            return;
        }
        ByteBuffer transaction = begins ? field(FIELD_1, ByteBuffer.wrap(reply)) : transaction(method, request);
        if (transaction != null) {
            idleSince.put(transaction, System.nanoTime());
        }
    }

    /** Removes the transactions that are idle too long, and returns the requests that roll them back. */
    List<byte[]> takeExpired() {
        long since = System.nanoTime() - LONGEST.toNanos();
        return idleSince.entrySet().stream()
                .filter(idle -> idle.getValue() - since < 0 && idleSince.remove(idle.getKey(), idle.getValue()))
                .map(idle -> rollback(idle.getKey()))
                .toList();
    }

    private static byte[] rollback(ByteBuffer transaction) {
        ByteBuffer request = ByteBuffer.allocate(2 + transaction.remaining());
        request.put((byte) FIELD_1).put((byte) transaction.remaining()).put(transaction.duplicate());
        return request.array();
    }

    /** Returns the transaction of a call; null if it has none. */
    private static @Nullable ByteBuffer transaction(String method, byte[] request) {
        ByteBuffer first = field(FIELD_1, ByteBuffer.wrap(request));
        return switch (method) {
            case "commit", "rollback" -> first;
            case "lookup", "runQuery" -> first == null ? null : field(FIELD_2, first); // of the read's options
            default -> null;
        };
    }

    /** Returns the first field of a message, of less than 128 bytes; null if it is another field. */
    private static @Nullable ByteBuffer field(int tag, ByteBuffer message) {
        if (message.remaining() < 2 || message.get() != tag) {
            return null;
        }
        int length = message.get();
        if (length <= 0 || length > message.remaining()) {
            return null;
        }
        byte[] value = new byte[length];
        message.get(value);
        return ByteBuffer.wrap(value);
    }
}
