package io.counterkit.datastore.guice;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.CounterBackend;
import java.util.Optional;

/**
 * Binds {@link Counters}, {@link CounterBackend} and {@link DatastoreSequenceBackend} to the App Engine Datastore, each
 * as a singleton of the injector. An application replaces the defaults by binding {@link CountersOptions} or a {@link
 * DatastoreService} with {@code OptionalBinder.newOptionalBinder(binder(), ….class).setBinding()}. Without a service of
 * the application, each call ends before the deadline of its caller.
 *
 * <p>Unless the options set a namespace, it is the namespace of the thread that creates the singletons.
 */
public final class DatastoreCounterModule extends AbstractModule {
    private final DatastoreSequenceOptions options;

    /** Creates a module with {@link DatastoreSequenceOptions#defaults()}. */
    public DatastoreCounterModule() {
        this(DatastoreSequenceOptions.defaults());
    }

    /** Creates a module with the given options. */
    public DatastoreCounterModule(DatastoreSequenceOptions options) {
        this.options = options;
    }

    @Override
    protected void configure() {
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
        OptionalBinder.newOptionalBinder(binder(), DatastoreService.class);
        bind(CounterBackend.class).to(DatastoreSequenceBackend.class);
    }

    @Provides
    @Singleton
    DatastoreSequenceBackend backend(Optional<DatastoreService> datastore) {
        return datastore
                .map(service -> DatastoreSequenceBackend.create(service, options))
                .orElseGet(() -> DatastoreSequenceBackend.create(options));
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
