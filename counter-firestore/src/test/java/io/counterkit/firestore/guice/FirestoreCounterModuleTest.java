package io.counterkit.firestore.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.firestore.Firestore;
import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FirestoreCounterModuleTest {
    private final AtomicInteger clients = new AtomicInteger();

    /** The application's module, which binds the client and closes it. */
    private final class ClientModule extends AbstractModule {
        @Provides
        @Singleton
        Firestore client() {
            clients.incrementAndGet();
            return Prerequisite.required(FirestoreEmulator::shared).connect("demo-" + UUID.randomUUID());
        }
    }

    @Test
    void creatingTheInjector_createsNoClient() throws Exception {
        Injector injector = Guice.createInjector(new ClientModule(), new FirestoreCounterModule());
        assertThat(clients).hasValue(0);
        Counter counter = injector.getInstance(Counters.class).counter("likes");
        assertThat(clients).hasValue(1);
        counter.add(3);
        assertThat(counter.get()).isEqualTo(3);
        injector.getInstance(Firestore.class).close();
    }

    @Test
    void everythingIsASingletonOverOneClient() throws Exception {
        Injector injector = Guice.createInjector(new ClientModule(), new FirestoreCounterModule());
        assertThat(injector.getInstance(Counters.class)).isSameAs(injector.getInstance(Counters.class));
        assertThat(injector.getInstance(CounterBackend.class))
                .isSameAs(injector.getInstance(CounterBackend.class))
                .isSameAs(injector.getInstance(FirestoreCounterBackend.class));
        assertThat(clients).hasValue(1);
        injector.getInstance(Firestore.class).close();
    }

    @Test
    void optionsOfTheBackend_areUsed() throws Exception {
        Injector injector = Guice.createInjector(
                new ClientModule(),
                new FirestoreCounterModule(FirestoreCounterOptions.builder()
                        .counterCollection("tallies")
                        .shards(3)
                        .build()));
        injector.getInstance(Counters.class).counter("likes").increment();
        Firestore client = injector.getInstance(Firestore.class);
        assertThat(client.document("tallies/likes").get().get().getLong("num_shards"))
                .isEqualTo(3);
        client.close();
    }

    @Test
    void applicationReplacesTheOptionsOfCounters() throws Exception {
        CountersOptions hasty =
                CountersOptions.builder().deadline(Duration.ofMillis(1)).build();
        Injector injector =
                Guice.createInjector(new ClientModule(), new FirestoreCounterModule(), new AbstractModule() {
                    @Override
                    protected void configure() {
                        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                                .setBinding()
                                .toInstance(hasty);
                    }
                });
        Counter counter = injector.getInstance(Counters.class).counter("likes");
        // The first call of a client takes much longer; with the default deadline it would succeed.
        assertThatExceptionOfType(CounterException.class).isThrownBy(counter::increment);
        injector.getInstance(Firestore.class).close();
    }

    @Test
    void applicationWithoutAClient_failsToCreateItsInjector() {
        assertThatExceptionOfType(CreationException.class)
                .isThrownBy(() -> Guice.createInjector(new FirestoreCounterModule()))
                .withMessageContaining("Firestore");
    }

    @Test
    void closingTheCounters_leavesTheClientOpen() throws Exception {
        Injector injector = Guice.createInjector(new ClientModule(), new FirestoreCounterModule());
        Counters counters = injector.getInstance(Counters.class);
        counters.counter("likes").increment();
        counters.close();
        Firestore client = injector.getInstance(Firestore.class);
        assertThat(client.document("counters/likes").get().get().exists()).isTrue();
        client.close();
    }
}
