package io.counterkit.firestore.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests the check of what is deployed when a backend is created. */
@Isolated("reads all that the backend logs")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CheckAtStartTest {
    private static final FirestoreCounterOptions CHECKED =
            FirestoreCounterOptions.builder().checkAtStart().build();

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final Firestore client = fixture.client();
    private final Logger logger = Logger.getLogger("io.counterkit.firestore");
    private final Warnings warnings = new Warnings();

    private static final class Warnings extends Handler {
        private final Queue<String> messages = new ConcurrentLinkedQueue<>();

        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().equals(Level.WARNING)) {
                messages.add(entry.getMessage());
            }
        }

        @Override
        public void flush() {
            // keeps nothing back
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    @BeforeEach
    void listen() {
        logger.addHandler(warnings);
    }

    @AfterEach
    void close() {
        logger.removeHandler(warnings);
        fixture.close();
    }

    @Test
    void missingExemptions_areLoggedWithTheirCommands() {
        fixture.inject(StoreFault.FAIL_BEFORE, 2, Status.Code.FAILED_PRECONDITION); // as a database without that index
        FirestoreCounterBackend backend = FirestoreCounterBackend.create(client, CHECKED);
        await().until(() -> warnings.messages.size() == 6);
        backend.close();
        assertThat(warnings.messages)
                .allSatisfy(message -> assertThat(message)
                        .startsWith("Missing in Firestore: index exemptions of '")
                        .contains(". Without it: ", ". Deploy it: gcloud firestore indexes fields update "));
    }

    @Test
    void databaseThatCannotBeRead_isLogged_andTheBackendIsThere() {
        fixture.inject(StoreFault.FAIL_BEFORE, 1, Status.Code.PERMISSION_DENIED);
        try (FirestoreCounterBackend backend = FirestoreCounterBackend.create(client, CHECKED)) {
            await().until(() -> !warnings.messages.isEmpty());
            assertThat(backend.describe(TestStore.name()).join().isThere()).isFalse();
        }
        assertThat(warnings.messages).singleElement().asString().contains("was not checked", "PERMISSION_DENIED");
    }

    @Test
    void withoutTheOption_nothingIsSent() {
        FirestoreCounterBackend.create(client).close();
        assertThat(fixture.faults().calls()).isEqualTo(List.of());
        assertThat(warnings.messages).isEmpty();
    }
}
