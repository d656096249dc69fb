package io.counterkit.datastore.guice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.spi.CounterBackend;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DatastoreCounterModuleTest extends StoreTest {
    /** An application: nothing in it knows the backend. */
    static final class Shop {
        private final Counters counters;

        @Inject
        Shop(Counters counters) {
            this.counters = counters;
        }

        long invoice(String customer) {
            counters.counter("invoices of " + customer).increment();
            return counters.sequence("invoices")
                    .append(Map.of("customer", customer))
                    .number();
        }
    }

    @Test
    void applicationThatDoesNotKnowItsBackendCounts() {
        Injector injector = Guice.createInjector(new DatastoreCounterModule());
        Shop shop = injector.getInstance(Shop.class);
        assertThat(shop.invoice("ada")).isEqualTo(1);
        assertThat(shop.invoice("ada")).isEqualTo(2);
        Counters elsewhere = Guice.createInjector(new DatastoreCounterModule()).getInstance(Counters.class);
        assertThat(elsewhere.counter("invoices of ada").get()).isEqualTo(2);
    }

    @Test
    void everythingIsASingletonOfTheInjector() {
        Injector injector = Guice.createInjector(new DatastoreCounterModule());
        assertThat(injector.getInstance(Counters.class)).isSameAs(injector.getInstance(Counters.class));
        assertThat(injector.getInstance(CounterBackend.class))
                .isSameAs(injector.getInstance(DatastoreSequenceBackend.class));
    }

    @Test
    void optionsAndServiceAreTheApplications() {
        DatastoreService service = DatastoreServiceFactory.getDatastoreService();
        DatastoreSequenceOptions options =
                DatastoreSequenceOptions.builder().namespace("shop").build();
        Injector injector = Guice.createInjector(new DatastoreCounterModule(options), new AbstractModule() {
            @Override
            protected void configure() {
                OptionalBinder.newOptionalBinder(binder(), DatastoreService.class)
                        .setBinding()
                        .toInstance(service);
            }
        });
        assertThat(injector.getInstance(DatastoreSequenceBackend.class).namespace())
                .isEqualTo("shop");
        assertThat(injector.getInstance(Shop.class).invoice("ada")).isEqualTo(1);
    }
}
