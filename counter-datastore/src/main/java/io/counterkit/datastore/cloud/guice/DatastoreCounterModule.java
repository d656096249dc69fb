package io.counterkit.datastore.cloud.guice;

import com.google.cloud.datastore.Datastore;
import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.datastore.cloud.DatastoreCounterOptions;
import io.counterkit.spi.CounterBackend;

/**
 * Binds {@link Counters}, {@link CounterBackend} and {@link DatastoreCounterBackend} to the store of a
 * {@link Datastore}, which the application binds, each as a singleton of the injector. An application replaces the
 * default {@link CountersOptions} with
 * {@code OptionalBinder.newOptionalBinder(binder(), CountersOptions.class).setBinding()}.
 */
public final class DatastoreCounterModule extends AbstractModule {
    private final DatastoreCounterOptions options;

    /** Creates a module with {@link DatastoreCounterOptions#defaults()}. */
    public DatastoreCounterModule() {
        this(DatastoreCounterOptions.defaults());
    }

    /** Creates a module with the given options. */
    public DatastoreCounterModule(DatastoreCounterOptions options) {
        this.options = options;
    }

    @Override
    protected void configure() {
        requireBinding(Datastore.class);
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
        bind(CounterBackend.class).to(DatastoreCounterBackend.class);
    }

    @Provides
    @Singleton
    DatastoreCounterBackend backend(Datastore datastore) {
        return DatastoreCounterBackend.create(datastore, options);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
