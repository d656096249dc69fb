package io.counterkit.datastore.cloud.internal.client;

import static io.counterkit.datastore.internal.store.StoreFailure.CONTENTION;
import static io.counterkit.datastore.internal.store.StoreFailure.EXISTS;
import static io.counterkit.datastore.internal.store.StoreFailure.LOST;
import static io.counterkit.datastore.internal.store.StoreFailure.NOT_SENT;
import static io.counterkit.datastore.internal.store.StoreFailure.REFUSED;
import static io.counterkit.datastore.internal.store.StoreFailure.UNEXPECTED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.datastore.DatastoreException;
import com.google.rpc.Code;
import io.counterkit.datastore.internal.store.StoreFailure;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.ConcurrentModificationException;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every code of the protocol, and what the client reports without one. */
class CloudErrorsTest {
    private static final Map<Code, StoreFailure> EXPECTED = new EnumMap<>(Map.ofEntries(
            Map.entry(Code.OK, UNEXPECTED),
            Map.entry(Code.CANCELLED, LOST),
            Map.entry(Code.UNKNOWN, LOST),
            Map.entry(Code.INVALID_ARGUMENT, REFUSED),
            Map.entry(Code.DEADLINE_EXCEEDED, LOST),
            Map.entry(Code.NOT_FOUND, REFUSED),
            Map.entry(Code.ALREADY_EXISTS, EXISTS),
            Map.entry(Code.PERMISSION_DENIED, REFUSED),
            Map.entry(Code.UNAUTHENTICATED, REFUSED),
            Map.entry(Code.RESOURCE_EXHAUSTED, LOST),
            Map.entry(Code.FAILED_PRECONDITION, REFUSED),
            Map.entry(Code.ABORTED, CONTENTION),
            Map.entry(Code.OUT_OF_RANGE, REFUSED),
            Map.entry(Code.UNIMPLEMENTED, REFUSED),
            Map.entry(Code.INTERNAL, LOST),
            Map.entry(Code.UNAVAILABLE, LOST),
            Map.entry(Code.DATA_LOSS, LOST)));

    private static StoreFailure of(int code, String message, Throwable cause) {
        return CloudErrors.of(new DatastoreException(code, message, cause));
    }

    @Test
    void everyCodeHasAMeaning() {
        for (Code code : Code.values()) {
            if (code != Code.UNRECOGNIZED) {
                assertThat(of(code.getNumber(), "message", null))
                        .as(code.name())
                        .isEqualTo(EXPECTED.get(code));
            }
        }
        assertThat(of(99, "message", null)).isEqualTo(UNEXPECTED);
    }

    /** The messages of the emulators, and of the client itself for a transaction that is over. */
    @Test
    void endedTransactionIsContention() {
        assertThat(of(3, "The referenced transaction has expired or is invalid", null))
                .isEqualTo(CONTENTION);
        assertThat(of(3, "Transaction is invalid or closed.", null)).isEqualTo(CONTENTION);
        assertThat(of(0, "transaction is no longer active", null)).isEqualTo(CONTENTION);
        assertThat(of(3, "key path is incomplete", null)).isEqualTo(REFUSED);
    }

    @Test
    void onlyARefusedConnectionIsSurelyNotSent() {
        assertThat(of(14, "I/O error", new ConnectException("Connection refused")))
                .isEqualTo(NOT_SENT);
        assertThat(of(14, "I/O error", new SocketException("Connection reset"))).isEqualTo(LOST);
    }

    @Test
    void interruptLeavesTheOutcomeOpen() {
        assertThat(of(0, "interrupted", new InterruptedException())).isEqualTo(LOST);
    }

    @Test
    void otherExceptions() {
        assertThat(CloudErrors.of(new ConcurrentModificationException())).isEqualTo(CONTENTION);
        assertThat(CloudErrors.of(new IllegalStateException("transaction closed")))
                .isEqualTo(UNEXPECTED);
    }
}
