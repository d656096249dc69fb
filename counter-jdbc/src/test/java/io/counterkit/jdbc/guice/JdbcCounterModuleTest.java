package io.counterkit.jdbc.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class JdbcCounterModuleTest {
    @TempDir
    Path directory;

    private final AtomicInteger sources = new AtomicInteger();

    /** The application's module, which binds the data source. */
    private final class DataSourceModule extends AbstractModule {
        @Provides
        @Singleton
        DataSource dataSource() {
            sources.incrementAndGet();
            SQLiteDataSource file = new SQLiteDataSource();
            file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
            return file;
        }
    }

    private Injector injector() {
        return Guice.createInjector(
                new DataSourceModule(),
                new JdbcCounterModule(
                        JdbcCounterOptions.builder().createTables(true).build()));
    }

    @Test
    void creatingTheInjector_connectsToNothing() {
        Injector injector = injector();
        assertThat(sources).hasValue(0);
        try (Counters counters = injector.getInstance(Counters.class)) {
            Counter counter = counters.counter("likes");
            counter.add(3);
            assertThat(counter.get()).isEqualTo(3);
        }
    }

    @Test
    void everythingIsASingletonOverOneDataSource() {
        Injector injector = injector();
        try (Counters counters = injector.getInstance(Counters.class)) {
            assertThat(injector.getInstance(Counters.class)).isSameAs(counters);
            assertThat(injector.getInstance(CounterBackend.class))
                    .isSameAs(injector.getInstance(JdbcCounterBackend.class));
            assertThat(sources).hasValue(1);
        }
    }

    @Test
    void missingDataSource_isReportedWhenTheInjectorIsCreated() {
        assertThatExceptionOfType(CreationException.class)
                .isThrownBy(() -> Guice.createInjector(new JdbcCounterModule()))
                .withMessageContaining("DataSource");
    }
}
