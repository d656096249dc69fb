package io.counterkit.cli.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.api.core.ApiFuture;
import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.WriteResult;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DisturbedCallsTest {
    private final DisturbedCalls calls = new DisturbedCalls();

    private final Firestore client = FirestoreEmulator.shared()
            .connect(
                    "demo-" + UUID.randomUUID(),
                    builder -> builder.setRetrySettings(ServiceOptions.getNoRetrySettings()),
                    calls);

    @AfterEach
    void close() throws Exception {
        client.close();
    }

    @Test
    void calls_getLostOnTheWayThereAndBackOrComeLate() throws Exception {
        List<ApiFuture<WriteResult>> writes = new ArrayList<>();
        calls.start(1, 42);
        for (int i = 0; i < 30; i++) {
            writes.add(document(i).create(Map.of("a", 1)));
        }
        long late = writes.stream().filter(write -> !write.isDone()).count();
        calls.stop();

        int unsent = 0;
        int unanswered = 0;
        int answered = 0;
        for (int i = 0; i < writes.size(); i++) {
            boolean isApplied = succeeds(writes.get(i));
            boolean isThere = document(i).get().get().exists();
            assertThat(isThere || !isApplied).isTrue();
            answered += isApplied ? 1 : 0;
            unanswered += isThere && !isApplied ? 1 : 0;
            unsent += isThere ? 0 : 1;
        }
        assertThat(calls.count()).isEqualTo(30);
        assertThat(unsent).isPositive();
        assertThat(unanswered).isPositive();
        assertThat(answered).isPositive();
        assertThat(late).isGreaterThanOrEqualTo(answered);
    }

    @Test
    void calls_areLeftAloneBeforeTheStartAndAfterTheEnd() throws Exception {
        assertThat(succeeds(document(1).create(Map.of()))).isTrue();
        calls.start(1, 1);
        calls.stop();
        assertThat(succeeds(document(2).create(Map.of()))).isTrue();
        assertThat(calls.count()).isZero();
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
