package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.grpc.GrpcTransportOptions;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.Disturbance.StoreError;
import io.counterkit.spi.Call;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The client that the backend derives from that of the application: its retries, time-outs, namespace and transport.
 */
class DerivedClientTest {
    private final CloudStore store = Emulator.FRESH.store();
    private final String name = UUID.randomUUID().toString();

    @AfterEach
    void close() {
        store.close();
    }

    /** With the client's default retries, the commit is sent again, and the applied one is reported as refused. */
    @ParameterizedTest
    @EnumSource(
            value = StoreError.class,
            names = {"RPC_FAILED", "DEADLINE_EXCEEDED", "INTERNAL_ERROR", "CONTENTION"})
    void lostReplyOfACommitIsSentOnceAndAppliedOnce(StoreError error) {
        try (Counters counters = CloudStore.patient(store.connect())) {
            Sequence sequence = counters.sequence(name);
            sequence.next();
            AtomicInteger commits = new AtomicInteger();
            store.proxy()
                    .disturb(method -> method.equals("commit") && commits.incrementAndGet() == 1
                            ? Disturbance.loseReply(error)
                            : null);
            assertThat(sequence.next()).isEqualTo(2);
            assertThat(commits).hasValue(1);
            assertThat(sequence.last()).isEqualTo(2);
        }
    }

    @Test
    void warmAppendMakesThreeCalls() {
        try (Counters counters = CloudStore.patient(store.connect())) {
            Sequence sequence = counters.sequence(name);
            sequence.next();
            int before = store.proxy().calls();
            for (int i = 0; i < 10; i++) {
                sequence.next();
            }
            assertThat(store.proxy().calls() - before).isEqualTo(30);
        }
    }

    /** The store is there and does not answer. */
    @Test
    void callThatIsNotAnsweredEndsWithTheDeadlineOfItsCaller() {
        CountersOptions options =
                CountersOptions.builder().deadline(Duration.ofSeconds(2)).build();
        try (Counters counters = Counters.over(store.connect(), options)) {
            Sequence sequence = counters.sequence(name);
            sequence.next();
            store.proxy().disturb(method -> method.equals("commit") ? Disturbance.hold() : null);
            OutcomeUnknownException lost = catchThrowableOfType(OutcomeUnknownException.class, sequence::next);
            store.proxy().release();
            assertThat(lost).isNotNull();
            Resolution outcome = counters.resolve(lost.token());
            boolean isApplied = outcome instanceof Resolution.Appended;
            assertThat(sequence.last()).isEqualTo(isApplied ? 2 : 1);
        }
    }

    @Test
    void refusedConnectionIsNotApplied() throws IOException {
        // On a loaded machine an attempt takes a while, and the outcome is unknown if the deadline ends one.
        CountersOptions options =
                CountersOptions.builder().deadline(Duration.ofSeconds(5)).build();
        try (Socket taken = new Socket()) { // bound, but nothing listens
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "127.0.0.1:" + taken.getLocalPort();
            try (Counters counters = Counters.over(
                    DatastoreCounterBackend.create(CloudStore.client("demo-counterkit", address)), options)) {
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> counters.sequence(name).append(Map.of(), IdempotencyToken.random()));
            }
        }
    }

    @Test
    void clientOverGrpcIsRefused() {
        Datastore grpc = DatastoreOptions.newBuilder()
                .setProjectId("demo-counterkit")
                .setHost("http://127.0.0.1:1")
                .setCredentials(NoCredentials.getInstance())
                .setTransportOptions(GrpcTransportOptions.newBuilder().build())
                .build()
                .getService();
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DatastoreCounterBackend.create(grpc))
                .withMessageContaining("gRPC")
                .withMessageContaining("HTTP");
    }

    /** The namespace is that of the options, whatever the client's own. */
    @Test
    void namespacesAreApart() {
        Datastore ofAnotherNamespace = store.client().getOptions().toBuilder()
                .setNamespace("other")
                .build()
                .getService();
        DatastoreCounterOptions inOther =
                DatastoreCounterOptions.builder().namespace("other").build();
        try (Counters counters = CloudStore.patient(DatastoreCounterBackend.create(ofAnotherNamespace));
                Counters same = CloudStore.patient(store.connect());
                Counters other = CloudStore.patient(store.connect(inOther))) {
            counters.sequence(name).next();
            assertThat(same.sequence(name).last()).isEqualTo(1);
            assertThat(other.sequence(name).last()).isZero();
            assertThat(other.sequenceNames(name).names()).isEmpty();
        }
    }

    @Test
    void interruptOfTheCallerStaysSet() {
        try (DatastoreCounterBackend backend = store.connect()) {
            IdempotencyToken token = IdempotencyToken.random();
            Thread.currentThread().interrupt();
            try {
                backend.transact(token, transaction -> transaction.append(name, Map.of()));
            } catch (NotAppliedException e) {
                assertThat(e).hasMessageContaining("interrupted");
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
        }
    }

    @Test
    void closedBackendRefuses() {
        DatastoreCounterBackend backend = store.connect();
        backend.close();
        Call call = new Call(Duration.ofSeconds(5), CountersListener.disabled());
        assertThat(backend.sequences().tail(name, call)).isCompletedExceptionally();
    }

    @Test
    void optionsOutOfBoundsAreRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DatastoreCounterOptions.builder().namespace("a b"))
                .withMessageContaining("'a b'");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DatastoreCounterOptions.builder().entityGroups(24))
                .withMessageContaining("25 to 500");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> DatastoreCounterOptions.builder().threads(0))
                .withMessageContaining("1 to 1000");
    }
}
