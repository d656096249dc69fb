package io.counterkit.firestore.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.ServiceOptions;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.emulator.internal.process.EmulatorClient;
import io.counterkit.tck.Prerequisite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the close of Google's client declares Exception
class FirestoreEmulatorTest {
    private final String project = "demo-" + UUID.randomUUID();

    @BeforeAll
    static void requireEmulator() {
        Prerequisite.required(FirestoreEmulator::shared);
    }

    @Test
    void shared_answersAWriteAndARead() throws Exception {
        try (Firestore firestore = FirestoreEmulator.shared().connect(project)) {
            writeAndRead(firestore);
        }
    }

    @Test
    void shared_isTheSameInTheWholeJvmAndCannotBeClosed() throws Exception {
        FirestoreEmulator shared = FirestoreEmulator.shared();
        shared.close();

        assertThat(FirestoreEmulator.shared()).isSameAs(shared);
        try (Firestore firestore = shared.connect(project)) {
            writeAndRead(firestore);
        }
    }

    @Test
    void firstCalls_acceptTheLongestPatience() {
        String hostAndPort = FirestoreEmulator.shared().hostAndPort();
        assertThatCode(() -> EmulatorClient.callOnce(hostAndPort, Duration.ofSeconds(Long.MAX_VALUE)))
                .doesNotThrowAnyException();
    }

    @Test
    @Tag("exhaustive")
    void start_createsAnotherEmulatorThatEndsWhenClosed() throws Exception {
        FirestoreEmulator own = Prerequisite.required(() -> FirestoreEmulator.start(EmulatorOptions.defaults()));
        try (own;
                Firestore firestore = own.connect(project)) {
            assertThat(own.hostAndPort())
                    .isNotEqualTo(FirestoreEmulator.shared().hostAndPort());
            writeAndRead(firestore);
        }

        assertThatThrownBy(() -> FirestoreEmulator.at(own.hostAndPort()))
                .isInstanceOf(EmulatorUnavailableException.class);
        own.close();
    }

    @Test
    void connect_appliesSettings() throws Exception {
        try (Firestore firestore = FirestoreEmulator.shared()
                .connect(
                        project,
                        settings -> settings.setDatabaseId("other")
                                .setRetrySettings(ServiceOptions.getNoRetrySettings()))) {
            assertThat(firestore.getOptions().getDatabaseId()).isEqualTo("other");
            assertThat(firestore.getOptions().getRetrySettings().getMaxAttempts())
                    .isEqualTo(1);
            writeAndRead(firestore);
        }
    }

    @Test
    void connect_passesEachCallToTheInterceptors() throws Exception {
        Queue<String> calls = new ConcurrentLinkedQueue<>();
        try (Firestore firestore = FirestoreEmulator.shared()
                .connect(project, UnaryOperator.identity(), new ClientInterceptor() {
                    @Override
                    public <Q, R> ClientCall<Q, R> interceptCall(
                            MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                        calls.add(String.valueOf(method.getBareMethodName()));
                        return next.newCall(method, options);
                    }
                })) {
            writeAndRead(firestore);
        }

        assertThat(List.copyOf(calls)).containsExactly("Commit", "BatchGetDocuments");
    }

    @Test
    void find_usesTheAddressInTheVariable() {
        String running = FirestoreEmulator.shared().hostAndPort();

        FirestoreEmulator found = FirestoreEmulator.find(Map.of("FIRESTORE_EMULATOR_HOST", running));

        assertThat(found.hostAndPort()).isEqualTo(running);
    }

    private static void writeAndRead(Firestore firestore) throws Exception {
        DocumentReference document = firestore.document("things/" + UUID.randomUUID());
        document.set(Map.of("n", 7L)).get();
        assertThat(document.get().get().getLong("n")).isEqualTo(7L);
    }
}
