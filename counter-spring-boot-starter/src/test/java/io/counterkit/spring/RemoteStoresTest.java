package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.DatabaseMode;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications on stores in other processes. The newest line of Spring Boot runs them: the other one would repeat them.
 */
@Tag("stores")
@Tag("exhaustive")
class RemoteStoresTest {
    private final String project = "demo-" + UUID.randomUUID();
    private final String name = Application.randomName();

    @TempDir
    private Path directory;

    @Test
    void firestoreByProperties() {
        String emulator = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        Application.on(directory)
                .withPropertyValues(
                        "counterkit.backend=firestore",
                        "counterkit.firestore.project=" + project,
                        "counterkit.firestore.emulator-host=" + emulator)
                .run(context -> {
                    assertThat(context).hasSingleBean(FirestoreCounterBackend.class);
                    assertCounts(context.getBean(Counters.class));
                });
    }

    @Test
    void firestoreWithTheApplicationsClient() {
        FirestoreEmulator emulator = Prerequisite.required(FirestoreEmulator::shared);
        Application.on(directory)
                .withPropertyValues("counterkit.backend=firestore")
                .withBean("own", Firestore.class, () -> emulator.connect(project))
                .run(context -> {
                    assertThat(context).hasSingleBean(Firestore.class);
                    assertCounts(context.getBean(Counters.class));
                });
    }

    @Test
    void datastoreByProperties() {
        EmulatorOptions options = EmulatorOptions.builder()
                .databaseMode(DatabaseMode.DATASTORE_MODE)
                .build();
        try (FirestoreEmulator emulator = Prerequisite.required(() -> FirestoreEmulator.start(options))) {
            Application.on(directory)
                    .withPropertyValues(
                            "counterkit.backend=datastore",
                            "counterkit.datastore.project=" + project,
                            "counterkit.datastore.namespace=shop",
                            "counterkit.datastore.emulator-host=" + emulator.hostAndPort())
                    .run(context -> {
                        assertThat(context.getBean(DatastoreCounterBackend.class)
                                        .namespace())
                                .isEqualTo("shop");
                        assertThat(context).hasSingleBean(Datastore.class);
                        assertCounts(context.getBean(Counters.class));
                    });
        }
    }

    private void assertCounts(Counters counters) {
        counters.counter(name).add(3);
        assertThat(counters.counter(name).get()).isEqualTo(3);
        assertThat(counters.sequence(name).next()).isEqualTo(1);
    }

    @Test
    void serverOfPostgresqlThatIsKilledIsDownUntilItRunsAgain() {
        try (PostgresServer server = PostgresServer.start()) {
            Application.countingOn(directory)
                    .withPropertyValues(
                            "spring.datasource.url=" + server.url(),
                            "spring.datasource.hikari.connection-timeout=250",
                            "counterkit.health.slow-after=1s",
                            "counterkit.health.down-after=1h")
                    .run(context -> {
                        context.getBean(Counters.class).counter(name).add(3);
                        assertThat(HealthTest.status(context)).isEqualTo("UP");
                        server.kill();
                        await().atMost(Duration.ofMinutes(1))
                                .until(() -> HealthTest.status(context).equals("DOWN"));
                        server.startAgain();
                        await().atMost(Duration.ofMinutes(1))
                                .until(() -> HealthTest.status(context).equals("UP"));
                        assertThat(context.getBean(Counters.class).counter(name).get())
                                .isEqualTo(3);
                    });
        }
    }
}
