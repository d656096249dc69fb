package io.counterkit.datastore.cloud.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import io.counterkit.Counters;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.datastore.cloud.DatastoreCounterOptions;
import io.counterkit.spi.CounterBackend;
import org.junit.jupiter.api.Test;

/** What the module binds; it does not call the store. */
class DatastoreCounterModuleTest {
    private final DatastoreCounterOptions options =
            DatastoreCounterOptions.builder().namespace("shop").build();

    @Test
    void everythingIsASingletonOnTheStoreOfTheApplicationsClient() {
        Datastore datastore = DatastoreOptions.newBuilder()
                .setProjectId("demo-counterkit")
                .setCredentials(NoCredentials.getInstance())
                .build()
                .getService();
        Injector injector = Guice.createInjector(new DatastoreCounterModule(options), new AbstractModule() {
            @Override
            protected void configure() {
                bind(Datastore.class).toInstance(datastore);
            }
        });
        assertThat(injector.getInstance(Counters.class)).isSameAs(injector.getInstance(Counters.class));
        DatastoreCounterBackend backend = injector.getInstance(DatastoreCounterBackend.class);
        assertThat(injector.getInstance(CounterBackend.class)).isSameAs(backend);
        assertThat(backend.namespace()).isEqualTo("shop");
    }

    @Test
    void applicationHasToBindItsClient() {
        assertThatExceptionOfType(CreationException.class)
                .isThrownBy(() -> Guice.createInjector(new DatastoreCounterModule()))
                .withMessageContaining("Datastore");
    }
}
