package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.migration.fixture.ConnectedBackend;
import io.counterkit.migration.fixture.Connection;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a migration needs of its stores and options, and how it closes them. */
class MigratingCapabilitiesTest extends MigratingSetup {
    @Test
    void sourceThatCannotSealCountersKeepsThem() {
        CounterBackend sequencesOnly = declaring(source, EnumSet.of(Capability.SEAL_SEQUENCES));
        MigratingBackend half = MigratingBackend.create(sequencesOnly, InMemoryBackend.over(target), options());
        Counters halfway = Counters.over(half);
        halfway.counter(name).add(5);
        halfway.counter(name).reset();
        halfway.counter(name).add(7);
        halfway.sequence(name).next();
        assertThat(halfway.counter(name).get()).isEqualTo(7);
        assertThat(halfway.counterNames("").names()).containsExactly(name);
        assertThat(source.dump().counters()).containsEntry(name, 7L);
        assertThat(target.dump().sequences()).containsKey(name);
        assertThat(half.canMove(Kind.COUNTER)).isFalse();
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> join(half.move(Kind.COUNTER, name, call)))
                .withMessageContaining("cannot seal counters");
    }

    @Test
    void storesWithoutTheAbilitiesAreRefusedWithTheReason() {
        InMemoryBackend right = InMemoryBackend.create();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> MigratingBackend.create(declaring(source, EnumSet.of(Capability.TOP)), right, options()))
                .withMessageContaining("the source")
                .withMessageContaining("can seal neither counters nor sequences");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigratingBackend.create(
                        right, declaring(target, EnumSet.complementOf(EnumSet.of(Capability.IMPORT))), options()))
                .withMessageContaining("cannot import names from another store");
    }

    @Test
    void optionsAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> MigrationOptions.builder("", "new"));
        assertThatIllegalArgumentException().isThrownBy(() -> MigrationOptions.builder("old", "line\nbreak"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MigrationOptions.builder("old", "new").sourceRetention(Duration.ZERO))
                .withMessageContaining("sourceRetention 0 ms: use 1 h to 3650 days");
        assertThat(MigrationOptions.builder("old", "new").build().rollout().percent())
                .isZero();
    }

    @Test
    void closeClosesBothStores() {
        List<String> closed = new CopyOnWriteArrayList<>();
        MigratingBackend closing = MigratingBackend.create(
                new ConnectedBackend("source", InMemoryBackend.over(source), Connection.direct()) {
                    @Override
                    public void close() {
                        closed.add("source");
                    }
                },
                new ConnectedBackend("target", InMemoryBackend.over(target), Connection.direct()) {
                    @Override
                    public void close() {
                        closed.add("target");
                    }
                },
                options());
        closing.close();
        assertThat(closed).containsExactly("source", "target");
    }

    private static CounterBackend declaring(InMemoryStore store, Set<Capability> capabilities) {
        return new ConnectedBackend("source", InMemoryBackend.over(store), Connection.direct()) {
            @Override
            public Set<Capability> capabilities() {
                return capabilities;
            }
        };
    }
}
