package io.counterkit.migration.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.name.Named;
import com.google.inject.name.Names;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.spi.CounterBackend;

/**
 * Binds {@link Counters} and {@link CounterBackend} to a {@link MigratingBackend} over the backends that two other
 * modules bind, and also binds that {@link MigratingBackend} and its {@link Rollout}. An application migrates by
 * installing this module in place of the source's:
 *
 * <pre>{@code
 * new MigrationModule(new DatastoreCounterModule(), new FirestoreCounterModule(), options)
 * }</pre>
 *
 * <p>Each of the two modules is installed in a private scope, so that both may bind the same types; only their backends
 * are exposed. A resource that has to be closed, such as a local Datastore, must therefore be opened by the
 * application, which binds its backend in its own module. Each binding is a singleton that is created at its first use;
 * creating the injector does not access the stores. To replace the default {@link CountersOptions}, an application
 * binds its own with {@code OptionalBinder.newOptionalBinder(binder(), CountersOptions.class).setBinding()}.
 */
@SuppressWarnings("exports") // Guice is optional: users of this class require it
public final class MigrationModule extends AbstractModule {
    private static final String SOURCE = "io.counterkit.migration.source";
    private static final String TARGET = "io.counterkit.migration.target";

    private final Module source;
    private final Module target;
    private final MigrationOptions options;

    /**
     * Creates a module over two others.
     *
     * @param source binds the {@link CounterBackend} that names move from
     * @param target binds the {@link CounterBackend} that names move to
     */
    public MigrationModule(Module source, Module target, MigrationOptions options) {
        this.source = source;
        this.target = target;
        this.options = options;
    }

    @Override
    protected void configure() {
        install(new StoreModule(source, Key.get(CounterBackend.class, Names.named(SOURCE))));
        install(new StoreModule(target, Key.get(CounterBackend.class, Names.named(TARGET))));
        bind(CounterBackend.class).to(MigratingBackend.class);
        bind(Rollout.class).toInstance(options.rollout());
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
    }

    @Provides
    @Singleton
    MigratingBackend backend(@Named(SOURCE) CounterBackend from, @Named(TARGET) CounterBackend to) {
        return MigratingBackend.create(from, to, options);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
