package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counters;
import io.counterkit.datastore.local.Durability;
import io.counterkit.datastore.local.LocalDatastore;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
            Path data = directory.resolve("datastore.bin");
            Path aside = Files.move(data, directory.resolve("aside"));
            Files.createDirectory(data); // no file can take its place
            Counters moved = Counters.over(MigratingBackend.create(source.backend(), target, options()));
            List<@Nullable Throwable> refused = new ArrayList<>();
            for (int attempt = 0; attempt < 2; attempt++) {
                refused.add(catchThrowable(() -> numbers.add(moved.sequence("s").next())));
            }
            refused.add(catchThrowable(source::close));
            Files.delete(data);
            Files.move(aside, data);

            try (LocalDatastore again = LocalDatastore.open(directory, Durability.EACH_COMMIT)) {
                append(again.backend(), 2); // a process that does not migrate yet
                Counters after = Counters.over(MigratingBackend.create(again.backend(), target, options()));
                numbers.add(after.sequence("s").next());
            }
            assertThat(numbers).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(refused).doesNotContainNull();
        }
    }

    private static MigrationOptions options() {
        return MigrationOptions.builder("datastore", "memory")
                .rollout(Rollout.at(100))
                .build();
    }

    private void append(CounterBackend backend, int count) {
        Counters counters = Counters.over(backend);
        for (int i = 0; i < count; i++) {
            numbers.add(counters.sequence("s").next());
        }
    }
}
