package io.counterkit.examples.likes;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;

/** A store for the application that a test holds in its hands. */
public final class FakeStore extends AbstractModule {
    private final InMemoryStore store = InMemoryStore.create();

    /** To look into, and to disturb. */
    public InMemoryStore store() {
        return store;
    }

    @Provides
    @Singleton
    Counters counters(CountersOptions options) {
        return Counters.over(InMemoryBackend.over(store), options);
    }
}
