package io.counterkit.datastore;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that were begun through a proxy and are not ended, each with the time since when no call uses it. The
 * API lets nobody roll back a transaction whose commit got lost, so that its locks last until the store ends it, for
 * being idle: after a minute in the emulator, which is not to be set. A proxy does so after a few seconds. Thread-safe.
 */
final class IdleTransactions {
    /** Longer than the emulator waits for a lock, two seconds, so that whoever meets such a lock is told so at least once. */
    static final Duration LONGEST = Duration.ofSeconds(3);

    private static final int FIELD_1 = 1 << 3 | 2;
    private static final int FIELD_2 = 2 << 3 | 2;

    /** Since when each is idle, in the system's nanoseconds. */
    private final Map<ByteBuffer, Long> idleSince = new ConcurrentHashMap<>();

    /** Takes in what the store is about to carry out; a transaction in use is not idle. */
    void before(String method, byte[] request) {
        ByteBuffer transaction = transaction(method, request);
        if (transaction != null) {
            idleSince.remove(transaction);
        }
    }

    /** Takes in what the store has carried out, whether anybody is told so or not. */
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

    /** Those that are to be ended, each as the request for it. They are not told again. */
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

    /** The one that a call belongs to, by the protocol's definition; null if it belongs to none. */
    private static @Nullable ByteBuffer transaction(String method, byte[] request) {
        ByteBuffer first = field(FIELD_1, ByteBuffer.wrap(request));
        return switch (method) {
            case "commit", "rollback" -> first;
            case "lookup", "runQuery" -> first == null ? null : field(FIELD_2, first); // of the read's options
            default -> null;
        };
    }

    /** What a message begins with, if that is this field, of less than 128 bytes. */
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
