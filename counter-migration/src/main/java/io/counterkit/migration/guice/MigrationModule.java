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
 * modules bind, and that {@link MigratingBackend} and its {@link Rollout} too. An application migrates by installing
 * this module in the place of the source's:
 *
 * <pre>{@code
 * new MigrationModule(new DatastoreCounterModule(), new FirestoreCounterModule(), options)
 * }</pre>
 *
 * <p>Each of the two is installed in a private scope, so that both may bind the same; what else they bind is not seen
 * outside. So open by yourself what you have to close, such as a local Datastore, and bind its backend in a module of your
 * own. Each is a singleton of the injector, made when it is first asked for: making the injector connects to nothing.
 * An application that binds {@link CountersOptions} with {@code OptionalBinder.newOptionalBinder(binder(),
 * CountersOptions.class).setBinding()} replaces the defaults.
 */
@SuppressWarnings("exports") // Guice is optional: whoever uses this class requires it
public final class MigrationModule extends AbstractModule {
    private static final String SOURCE = "io.counterkit.migration.source";
    private static final String TARGET = "io.counterkit.migration.target";

    private final Module source;
    private final Module target;
    private final MigrationOptions options;

    /**
     * A module around two others.
     *
     * @param source binds the {@link CounterBackend} that names come from
     * @param target binds the one that they go to
     */
    public MigrationModule(Module source, Module target, MigrationOptions options) {
        this.source = source;
        this.target = target;
        this.options = options;
    }

    @Override
    protected void configure() {
        install(new EndModule(source, Key.get(CounterBackend.class, Names.named(SOURCE))));
        install(new EndModule(target, Key.get(CounterBackend.class, Names.named(TARGET))));
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
