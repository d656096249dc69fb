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
 * as a singleton of the injector. An application that binds {@link CountersOptions} or a {@link DatastoreService} with
 * {@code OptionalBinder.newOptionalBinder(binder(), ….class).setBinding()} replaces the defaults; without a service of
 * the application's own, each call ends at the deadline of its caller.
 *
 * <p>The namespace is that of the thread which makes the singletons, unless the options name one.
 */
public final class DatastoreCounterModule extends AbstractModule {
    private final DatastoreSequenceOptions options;

    /** A module with {@link DatastoreSequenceOptions#defaults()}. */
    public DatastoreCounterModule() {
        this(DatastoreSequenceOptions.defaults());
    }

    /** A module with these options. */
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
