package io.counterkit.datastore.local.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;

/**
 * Binds {@link Counters} and {@link CounterBackend} to the local Datastore of a directory, and {@link LocalDatastore},
 * which the application closes after them. Each is a singleton of the injector, created on first use. An application
 * replaces the default options by binding {@link CountersOptions} with
 * {@code OptionalBinder.newOptionalBinder(binder(), CountersOptions.class).setBinding()}.
 */
public final class LocalDatastoreCounterModule extends AbstractModule {
    private final Path directory;
    private final Durability durability;

    /** Creates a module for the Datastore of a directory. */
    public LocalDatastoreCounterModule(Path directory, Durability durability) {
        this.directory = directory;
        this.durability = durability;
    }

    @Override
    protected void configure() {
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
    }

    @Provides
    @Singleton
    LocalDatastore datastore() {
        return LocalDatastore.open(directory, durability);
    }

    @Provides
    @Singleton
    CounterBackend backend(LocalDatastore datastore) {
        return datastore.backend();
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
