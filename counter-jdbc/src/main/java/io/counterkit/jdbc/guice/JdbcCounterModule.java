package io.counterkit.jdbc.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import javax.sql.DataSource;

/**
 * Binds {@link Counters}, {@link CounterBackend} and {@link JdbcCounterBackend} to the {@link DataSource} that the
 * application binds and closes. Each is a singleton, created at its first use. Creating the injector does not connect
 * to the database. Replace the default {@link CountersOptions} with {@code OptionalBinder.newOptionalBinder(binder(),
 * CountersOptions.class).setBinding()}.
 */
@SuppressWarnings("exports") // Guice is optional: users of this class require it
public final class JdbcCounterModule extends AbstractModule {
    private final JdbcCounterOptions options;

    /** Creates a module with {@link JdbcCounterOptions#defaults()}. */
    public JdbcCounterModule() {
        this(JdbcCounterOptions.defaults());
    }

    /** Creates a module with these options. */
    public JdbcCounterModule(JdbcCounterOptions options) {
        this.options = options;
    }

    @Override
    protected void configure() {
        requireBinding(DataSource.class);
        bind(CounterBackend.class).to(JdbcCounterBackend.class);
        OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                .setDefault()
                .toInstance(CountersOptions.defaults());
    }

    @Provides
    @Singleton
    JdbcCounterBackend backend(DataSource dataSource) {
        return JdbcCounterBackend.create(dataSource, options);
    }

    @Provides
    @Singleton
    Counters counters(CounterBackend backend, CountersOptions countersOptions) {
        return Counters.over(backend, countersOptions);
    }
}
