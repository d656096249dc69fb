package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.datastore.guice.DatastoreCounterModule;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.guice.FirestoreCounterModule;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.guice.MigrationModule;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Installs the migration module around those of the Datastore and Firestore, as an application does. */
class MigrationModulesTest {
    private final String counter = UUID.randomUUID() + "/likes";
    private final String sequence = UUID.randomUUID() + "/orders";

    @TempDir
    Path directory;

    private Firestore firestore;

    @BeforeEach
    void connect() {
        firestore = Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
    }

    @AfterEach
    void close() throws Exception {
        firestore.close();
    }

    private final class Application extends AbstractModule {
        private final Module counters;

        Application(Module counters) {
            this.counters = counters;
        }

        @Override
        protected void configure() {
            install(counters);
            bind(Firestore.class).toInstance(firestore);
        }
    }

    private static MigrationModule migrating(Module source) {
        return new MigrationModule(
                source,
                new FirestoreCounterModule(),
                MigrationOptions.builder("datastore", "firestore")
                        .rollout(Rollout.at(0))
                        .build());
    }

    /** Deploys the migration at 0 percent, raises the percentage, and finally removes the migration. */
    private void assertMoves(Module source) {
        Injector injector = Guice.createInjector(new Application(migrating(source)));
        Counters counters = injector.getInstance(Counters.class);
        counters.counter(counter).add(41);
        counters.sequence(sequence).append(Map.of("n", 1L));
        injector.getInstance(Rollout.class).set(100);
        counters.counter(counter).increment();
        Entry second = counters.sequence(sequence).append(Map.of("n", 2L));

        assertThat(second.number()).isEqualTo(2);
        assertThat(counters.counter(counter).get()).isEqualTo(42);
        assertThat(counters.sequence(sequence).read(1, 2))
                .extracting(Entry::number)
                .containsExactly(1L, 2L);
        MigratingBackend backend = injector.getInstance(MigratingBackend.class);
        assertThat(Counters.over(backend.source()).counter(counter).get()).isEqualTo(41);
        Counters later = Guice.createInjector(new Application(new FirestoreCounterModule()))
                .getInstance(Counters.class);
        assertThat(later.counter(counter).get()).isEqualTo(42);
        assertThat(later.sequence(sequence).next()).isEqualTo(3);
    }

    @Test
    void datastoreModule() {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED)) {
            assertThat(datastore.abandonedBy()).isNull();
            assertMoves(new DatastoreCounterModule()); // runs on this thread, which has an environment
        }
    }

    @Test
    void backendThatTheApplicationHasOpened() {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.EACH_COMMIT)) {
            CounterBackend source = datastore.backend();
            assertMoves(binder -> binder.bind(CounterBackend.class).toInstance(source));
        }
    }
}
