package io.counterkit.firestore.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.google.api.core.ApiFuture;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FirestoreFaultsTest {
    private final FirestoreFaults faults = new FirestoreFaults();

    private final Firestore client = Prerequisite.required(FirestoreEmulator::shared)
            .connect(
                    "demo-" + UUID.randomUUID(),
                    builder -> builder.setRetrySettings(ServiceOptions.getNoRetrySettings()),
                    faults);

    @AfterEach
    void close() throws Exception {
        client.close();
    }

    @Test
    void randomFaults_failCallsLoseRepliesAndHoldCalls() throws Exception {
        List<ApiFuture<WriteResult>> writes = new ArrayList<>();
        faults.start(1, 42);
        for (int i = 0; i < 30; i++) {
            writes.add(document(i).create(Map.of("a", 1)));
        }
        long late = writes.stream().filter(write -> !write.isDone()).count();
        faults.stop();

        int failed = 0;
        int lostReply = 0;
        int answered = 0;
        for (int i = 0; i < writes.size(); i++) {
            boolean isApplied = succeeds(writes.get(i));
            boolean isThere = document(i).get().get().exists();
            assertThat(isThere || !isApplied).isTrue();
            answered += isApplied ? 1 : 0;
            lostReply += isThere && !isApplied ? 1 : 0;
            failed += isThere ? 0 : 1;
        }
        assertThat(faults.count()).isEqualTo(30);
        assertThat(failed).isPositive();
        assertThat(lostReply).isPositive();
        assertThat(answered).isPositive();
        assertThat(late).isGreaterThanOrEqualTo(answered);
    }

    @Test
    void randomFaults_beginWithStartAndEndWithStop() throws Exception {
        assertThat(succeeds(document(1).create(Map.of()))).isTrue();
        faults.start(1, 1);
        faults.stop();
        assertThat(succeeds(document(2).create(Map.of()))).isTrue();
        assertThat(faults.count()).isZero();
    }

    @Test
    void injectedFaults_hitTheirCalls() throws Exception {
        try (InjectedFault lost = faults.inject(Fault.LOSE_REPLY, 2);
                InjectedFault failed = faults.inject(Fault.FAIL, 2, Status.ABORTED)) {
            assertThat(succeeds(document(1).create(Map.of()))).isTrue();
            assertThat(succeeds(document(2).create(Map.of()))).isFalse();
            assertThat(lost.isHit()).isTrue();
            assertThat(failed.isHit()).isFalse();
            assertThat(succeeds(document(3).create(Map.of()))).isFalse();
            assertThat(failed.isHit()).isTrue();
        }
        assertThat(faults.calls()).containsExactly("Commit", "Commit", "Commit");
        assertThat(faults.count()).isEqualTo(2);
        assertThat(document(2).get().get().exists()).isTrue();
        assertThat(document(3).get().get().exists()).isFalse();
    }

    @Test
    void heldCall_isExecutedWhenTheFaultIsClosed() throws Exception {
        ApiFuture<WriteResult> write;
        try (InjectedFault held = faults.inject(Fault.HOLD, 1)) {
            write = document(1).create(Map.of());
            await().atMost(Duration.ofMinutes(1)).until(held::isHit);
            assertThat(document(1).get().get().exists()).isFalse();
        }
        assertThat(document(1).get().get().exists()).isTrue();
        assertThat(succeeds(write)).isTrue();
    }

    @Test
    void callBelowOne_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> faults.inject(Fault.FAIL, 0))
                .withMessageStartingWith("call 0: use 1 or more");
    }

    private DocumentReference document(int i) {
        return client.collection("c").document("d" + i);
    }

    private static boolean succeeds(ApiFuture<WriteResult> write) throws InterruptedException {
        try {
            return write.get() != null;
        } catch (ExecutionException e) {
            return false;
        }
    }
}
