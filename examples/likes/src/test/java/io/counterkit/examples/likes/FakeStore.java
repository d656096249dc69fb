package io.counterkit.examples.likes;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.CounterBackend;

/** An in-memory store that a test can inspect and disturb. */
public final class FakeStore extends AbstractModule {
    private final InMemoryStore store = InMemoryStore.create();

    /** Returns the store. */
    public InMemoryStore store() {
        return store;
    }

    @Provides
    @Singleton
    CounterBackend backend() {
        return InMemoryBackend.over(store);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions options) {
        return Counters.over(backend, options);
    }
}
