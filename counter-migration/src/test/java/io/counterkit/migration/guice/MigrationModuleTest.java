package io.counterkit.migration.guice;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.multibindings.OptionalBinder;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.guice.InMemoryCounterModule;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MigrationModuleTest {
    private final MigrationModule module = new MigrationModule(
            new InMemoryCounterModule(),
            new InMemoryCounterModule(),
            MigrationOptions.builder("old", "new").rollout(Rollout.at(50)).build());

    @Test
    void migratesBetweenBackendsOfModulesThatBindTheSameTypes() {
        Injector injector = Guice.createInjector(module);
        Counters counters = injector.getInstance(Counters.class);
        Rollout rollout = injector.getInstance(Rollout.class);
        for (int i = 0; i < 20; i++) {
            counters.counter("c" + i).increment();
        }
        rollout.set(100);
        for (int i = 0; i < 20; i++) {
            counters.counter("c" + i).increment();
            assertThat(counters.counter("c" + i).get()).isEqualTo(2);
        }
        MigratingBackend backend = injector.getInstance(MigratingBackend.class);
        assertThat(backend.source()).isNotSameAs(backend.target());
        assertThat(backend.canMove(Kind.COUNTER)).isTrue();
    }

    @Test
    void bindingsAreSingletonsAndOthersAreNotExposed() {
        Injector injector = Guice.createInjector(module);
        assertThat(injector.getInstance(CounterBackend.class)).isSameAs(injector.getInstance(MigratingBackend.class));
        assertThat(injector.getInstance(Counters.class)).isSameAs(injector.getInstance(Counters.class));
        assertThat(injector.getExistingBinding(Key.get(InMemoryStore.class))).isNull();
    }

    @Test
    void optionsOfTheApplicationReplaceTheDefaults() {
        CountersOptions options =
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build();
        Injector injector = Guice.createInjector(module, new AbstractModule() {
            @Override
            protected void configure() {
                OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                        .setBinding()
                        .toInstance(options);
            }
        });
        assertThat(injector.getInstance(CountersOptions.class)).isSameAs(options);
        injector.getInstance(Counters.class).counter("c").increment();
    }
}
