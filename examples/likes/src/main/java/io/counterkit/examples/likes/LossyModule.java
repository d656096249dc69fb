package io.counterkit.examples.likes;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.examples.likes.wall.Breakage;
import io.counterkit.spi.CounterBackend;

/** Overrides the {@link Counters} of a store's module, so that the page can break the store. */
final class LossyModule extends AbstractModule {
    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions options, Breakage breakage) {
        return Counters.over(LossyBackend.over(backend, breakage), options);
    }
}
