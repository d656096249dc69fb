package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.api.core.ApiFuture;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.AggregateField;
import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the injected faults with Firestore's client alone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallFaultsTest {
    private static final String PROJECT = "demo-" + UUID.randomUUID();

    private final CallFaults faults = new CallFaults();
    private final Firestore disturbed = FirestoreFixture.emulator()
            .connect(PROJECT, settings -> settings.setRetrySettings(ServiceOptions.getNoRetrySettings()), faults);
    private final Firestore retrying = FirestoreFixture.emulator().connect(PROJECT, settings -> settings, faults);
    private final Firestore calm = FirestoreFixture.emulator().connect(PROJECT);
    private final String path = "things/" + UUID.randomUUID();
    private final DocumentReference document = disturbed.document(path);

    @AfterEach
    void closeClients() throws Exception {
        disturbed.close();
        retrying.close();
        calm.close();
    }

    @Test
    void failBefore_storeReceivesNothing() {
        try (CallFault fault = faults.inject(StoreFault.FAIL_BEFORE, 1)) {
            assertFails(increment(disturbed), StatusCode.Code.UNAVAILABLE);
            assertThat(fault.isHit()).isTrue();
        }
        assertThat(stored()).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OK")
    void loseReply_storeExecutesTheCallAndTheStatusIsShown(Status.Code code) {
        try (CallFault fault = faults.inject(StoreFault.LOSE_REPLY, 1, code)) {
            assertFails(increment(disturbed), StatusCode.Code.valueOf(code.name()));
            assertThat(fault.isHit()).isTrue();
        }
        assertThat(stored()).isOne();
    }

    @Test
    void loseReply_alsoHidesARefusal() throws Exception {
        document.create(Map.of()).get();
        try (CallFault fault = faults.inject(StoreFault.LOSE_REPLY, 1, Status.Code.UNKNOWN)) {
            assertFails(document.create(Map.of()), StatusCode.Code.UNKNOWN);
            assertThat(fault.isHit()).isTrue();
        }
    }

    @Test
    void clientsOwnRetry_isAnotherCall() throws Exception {
        try (CallFault first = faults.inject(StoreFault.LOSE_REPLY, 1);
                CallFault second = faults.inject(StoreFault.LOSE_REPLY, 2)) {
            increment(retrying).get();
            assertThat(first.isHit() && second.isHit()).isTrue();
        }
        assertThat(faults.calls()).containsExactly("Commit", "Commit", "Commit");
        assertThat(stored()).isEqualTo(3);
    }

    @Test
    void faultsForTheSameCall_hitSuccessiveCalls() {
        try (CallFault first = faults.inject(StoreFault.FAIL_BEFORE, 1);
                CallFault second = faults.inject(StoreFault.FAIL_BEFORE, 1)) {
            assertFails(increment(disturbed), StatusCode.Code.UNAVAILABLE);
            assertThat(first.isHit()).isTrue();
            assertThat(second.isHit()).isFalse();
            assertFails(increment(disturbed), StatusCode.Code.UNAVAILABLE);
            assertThat(second.isHit()).isTrue();
        }
        assertThat(stored()).isZero();
    }

    @Test
    void closedFault_hitsNothing() throws Exception {
        CallFault fault = faults.inject(StoreFault.FAIL_BEFORE, 2);
        increment(disturbed).get();
        fault.close();
        increment(disturbed).get();
        assertThat(fault.isHit()).isFalse();
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void hold_callIsExecutedWhenTheFaultEnds() throws Exception {
        ApiFuture<?> held;
        try (CallFault fault = faults.inject(StoreFault.HOLD, 1)) {
            held = increment(disturbed);
            await().until(fault::isHit);
            increment(disturbed).get();
            assertThat(stored()).isOne();
            assertThat(held.isDone()).isFalse();
        }
        assertThat(stored()).isEqualTo(2);
        held.get();
    }

    @Test
    void hold_clientThatGaveUpDoesNotWithdrawTheCall() throws Exception {
        RetrySettings impatient = ServiceOptions.getNoRetrySettings().toBuilder()
                .setInitialRpcTimeoutDuration(Duration.ofMillis(200))
                .setMaxRpcTimeoutDuration(Duration.ofMillis(200))
                .setTotalTimeoutDuration(Duration.ofMillis(200))
                .build();
        Firestore client =
                FirestoreFixture.emulator().connect(PROJECT, settings -> settings.setRetrySettings(impatient), faults);
        try (CallFault fault = faults.inject(StoreFault.HOLD, 1)) {
            assertFails(increment(client), StatusCode.Code.DEADLINE_EXCEEDED);
            assertThat(fault.isHit()).isTrue();
            assertThat(stored()).isZero();
        }
        assertThat(stored()).isOne();
        client.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void streamedReplies_areLostToo(StoreFault kind) throws Exception {
        for (Supplier<ApiFuture<?>> read : streams()) {
            try (CallFault fault = faults.inject(kind, 1)) {
                assertThatThrownBy(read.get()::get).hasRootCauseInstanceOf(StatusRuntimeException.class);
                assertThat(fault.isHit()).isTrue();
            }
        }
    }

    @Test
    void streamedReplies_arriveWhenTheFaultEnds() throws Exception {
        for (Supplier<ApiFuture<?>> read : streams()) {
            Object undisturbed = read.get().get();
            ApiFuture<?> held;
            try (CallFault fault = faults.inject(StoreFault.HOLD, 1)) {
                held = read.get();
                await().until(fault::isHit);
                assertThat(held.isDone()).isFalse();
            }
            assertThat(held.get()).hasSameHashCodeAs(undisturbed).isEqualTo(undisturbed);
        }
    }

    private List<Supplier<ApiFuture<?>>> streams() throws Exception {
        document.set(Map.of("n", 5L)).get();
        CollectionReference things = disturbed.collection(path + "/of");
        for (int i = 0; i < 20; i++) {
            things.add(Map.of("n", 1L)).get();
        }
        return List.of(
                document::get,
                things::get,
                () -> things.aggregate(AggregateField.sum("n")).get());
    }

    private ApiFuture<?> increment(Firestore client) {
        return client.document(path).set(Map.of("n", FieldValue.increment(1)), SetOptions.merge());
    }

    private long stored() {
        try {
            Long stored = calm.document(path).get().get().getLong("n");
            return stored == null ? 0 : stored;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertFails(ApiFuture<?> call, StatusCode.Code code) {
        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOfSatisfying(
                        ApiException.class,
                        e -> assertThat(e.getStatusCode().getCode()).isEqualTo(code));
    }
}
