package io.counterkit.inmemory.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.name.Named;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InMemoryCounterModuleTest {
    /** An application that does not depend on the backend. */
    static final class Wall {
        private final Counters counters;
        private final Counter visits;

        @Inject
        Wall(Counters counters, @Named("visits") Counter visits) {
            this.counters = counters;
            this.visits = visits;
        }

        void like(String post, String click) {
            counters.counter("posts/" + post + "/likes").add(1, IdempotencyToken.of(click));
        }

        long visit() {
            visits.increment();
            return visits.get();
        }
    }

    /** The application's own module, the same for every backend. */
    static final class WallModule extends AbstractModule {
        @Provides
        @Named("visits")
        Counter visits(Counters counters) {
            return counters.counter("visits");
        }
    }

    private final Injector injector = Guice.createInjector(new WallModule(), new InMemoryCounterModule());
    private final Wall wall = injector.getInstance(Wall.class);
    private final InMemoryStore store = injector.getInstance(InMemoryStore.class);

    @Test
    void applicationThatDoesNotDependOnTheBackendCounts() {
        wall.like("42", "click-1");
        wall.like("42", "click-1");
        wall.like("42", "click-2");
        assertThat(wall.visit()).isEqualTo(1);
        assertThat(wall.visit()).isEqualTo(2);
        assertThat(store.dump().counters())
                .containsEntry("posts/42/likes", 2L)
                .containsEntry("visits", 2L)
                .hasSize(2);
    }

    @Test
    void testInjectsFaultsIntoTheStore() {
        store.faults().inject(Fault.LOSE_REPLY, Calls.next("posts/42/likes"));
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> wall.like("42", "click-1"));
        wall.like("42", "click-1");
        assertThat(store.dump().counters()).containsEntry("posts/42/likes", 1L);
    }

    @Test
    void everythingIsASingletonOfTheInjector() {
        assertThat(injector.getInstance(Counters.class)).isSameAs(injector.getInstance(Counters.class));
        assertThat(injector.getInstance(CounterBackend.class)).isSameAs(injector.getInstance(CounterBackend.class));
        assertThat(Guice.createInjector(new InMemoryCounterModule()).getInstance(InMemoryStore.class))
                .isNotSameAs(store);
    }

    @Test
    void applicationReplacesTheOptions() {
        CountersOptions impatient =
                CountersOptions.builder().deadline(Duration.ofSeconds(1)).build();
        Injector other = Guice.createInjector(new InMemoryCounterModule(), new AbstractModule() {
            @Override
            protected void configure() {
                OptionalBinder.newOptionalBinder(binder(), CountersOptions.class)
                        .setBinding()
                        .toInstance(impatient);
            }
        });
        other.getInstance(InMemoryStore.class).faults().inject(Fault.HOLD, Calls.all());
        Counter counter = other.getInstance(Counters.class).counter("likes");
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(counter::increment);
    }
}
