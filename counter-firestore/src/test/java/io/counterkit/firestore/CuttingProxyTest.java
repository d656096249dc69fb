package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.UnavailableException;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.FirestoreFixture.ClientRetries;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the proxy cuts after the store has executed a request, and not before. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("try") // the close of Google's client declares Exception
class CuttingProxyTest {
    @ParameterizedTest
    @EnumSource
    void cut_comesAfterTheCommitAndBeforeItsReply(CuttingProxy.Cut cut) throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(FirestoreFixture.emulator().hostAndPort(), cut);
                Firestore client = ClientRetries.NONE.connect(FirestoreEmulator.at(proxy.hostAndPort()))) {
            DocumentReference document = client.document("things/" + UUID.randomUUID());
            for (long written = 1; written <= 3; written++) {
                Map<String, Object> fields = Map.of("n", written);
                proxy.arm();
                assertThatThrownBy(() -> document.set(fields).get()).hasCauseInstanceOf(UnavailableException.class);
                assertThat(proxy.cuts()).isEqualTo((int) written);
                assertThat(document.get().get().getLong("n")).isEqualTo(written);
            }
        }
    }
}
