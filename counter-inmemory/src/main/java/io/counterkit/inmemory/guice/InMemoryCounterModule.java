package io.counterkit.inmemory.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.CounterBackend;

/**
 * Binds {@link Counters} and {@link CounterBackend} to one store in memory, and that {@link InMemoryStore} so that
 * tests can inspect it. Each is a singleton. To replace the default {@link CountersOptions}, an application binds its
 * own with {@code OptionalBinder.newOptionalBinder(binder(), CountersOptions.class).setBinding()}.
 */
@SuppressWarnings("exports") // Guice is optional: users of this class require it
public final class InMemoryCounterModule extends AbstractModule {
    private final InMemoryOptions options;

    /** Creates a module with {@link InMemoryOptions#defaults()}. */
    public InMemoryCounterModule() {
        this(InMemoryOptions.defaults());
    }

    /** Creates a module with these options. */
    public InMemoryCounterModule(InMemoryOptions options) {
        this.options = options;
    }

    @Override
    protected void configure() {
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
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
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
