package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.spi.CounterBackend;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A migration from a local Datastore that cannot write the seal. */
class UnwrittenSealTest {
    @TempDir
    Path directory;

    private final List<Long> numbers = new ArrayList<>();

    @Test
    void noNumberIsGivenTwice() throws Exception {
        try (CounterBackend target = InMemoryBackend.create()) {
            LocalDatastore source = LocalDatastore.open(directory, Durability.EACH_COMMIT);
            append(source.backend(), 3);
            Files.createDirectory(directory.resolve("datastore.next"));
            CounterBackend migrating = MigratingBackend.create(
                    source.backend(),
                    target,
                    MigrationOptions.builder("datastore", "memory").build());
            Counters moved = Counters.over(migrating);
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> numbers.add(moved.sequence("s").next()))
                        .isInstanceOf(CounterException.class);
            }
            Files.delete(directory.resolve("datastore.next"));
            assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(source::close);

            try (LocalDatastore again = LocalDatastore.open(directory, Durability.EACH_COMMIT)) {
                append(again.backend(), 2); // a process that does not migrate yet
                Counters after = Counters.over(MigratingBackend.create(
                        again.backend(),
                        target,
                        MigrationOptions.builder("datastore", "memory").build()));
                numbers.add(after.sequence("s").next());
            }
        }
        assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    private void append(CounterBackend backend, int count) {
        Counters counters = Counters.over(backend);
        for (int i = 0; i < count; i++) {
            numbers.add(counters.sequence("s").next());
        }
    }
}
