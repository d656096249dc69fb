package io.counterkit.inmemory.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.CounterBackend;

/**
 * Binds {@link Counters} and {@link CounterBackend} to one store in memory, and that {@link InMemoryStore} too, for
 * tests to look into. Each is a singleton of the injector.
 */
@SuppressWarnings("exports") // Guice is optional: whoever uses this class requires it
public final class InMemoryCounterModule extends AbstractModule {
    private final InMemoryOptions options;

    /** A module with {@link InMemoryOptions#defaults()}. */
    public InMemoryCounterModule() {
        this(InMemoryOptions.defaults());
    }

    /** A module with these options. */
    public InMemoryCounterModule(InMemoryOptions options) {
        this.options = options;
    }

    @Provides
    @Singleton
    InMemoryStore store() {
        return InMemoryStore.create(options);
    }

    @Provides
    @Singleton
    CounterBackend backend(InMemoryStore store) {
        return InMemoryBackend.over(store);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend) {
        return Counters.over(backend);
    }
}
