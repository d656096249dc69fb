package io.counterkit.firestore.guice;

import com.google.cloud.firestore.Firestore;
import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.spi.CounterBackend;

/**
 * Binds {@link Counters}, {@link CounterBackend} and {@link FirestoreCounterBackend} to the {@link Firestore} that the
 * application binds and closes. Each is a singleton, created at its first use. Creating the injector does not access
 * the store. Replace the default {@link CountersOptions} with {@code OptionalBinder.newOptionalBinder(binder(),
 * CountersOptions.class).setBinding()}.
 */
public final class FirestoreCounterModule extends AbstractModule {
    private final FirestoreCounterOptions options;

    /** Creates a module with {@link FirestoreCounterOptions#defaults()}. */
    public FirestoreCounterModule() {
        this(FirestoreCounterOptions.defaults());
    }

    /** Creates a module with these options. */
    public FirestoreCounterModule(FirestoreCounterOptions options) {
        this.options = options;
    }

    @Override
    protected void configure() {
        requireBinding(Firestore.class);
        bind(CounterBackend.class).to(FirestoreCounterBackend.class);
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
    }

    @Provides
    @Singleton
    FirestoreCounterBackend backend(Firestore firestore) {
        return FirestoreCounterBackend.create(firestore, options);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
