package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged file of SQLite: a total is right, or reported as damaged. */
class DamagedFileTest {
    private static final int PAGE = 4096;
    private static final int COUNTERS = 1_500;

    @TempDir
    Path directory;

    enum Damage {
        HEADER(file -> fill(file, 0, 100)),
        SCHEMA(file -> fill(file, 100, PAGE)),
        MIDDLE(file -> fill(file, file.length / 2 / PAGE * PAGE, file.length / 2 / PAGE * PAGE + PAGE)),
        ZEROS_FROM_THE_MIDDLE(file -> Arrays.copyOf(Arrays.copyOf(file, file.length / 2), file.length)),
        CUT_IN_HALF(file -> Arrays.copyOf(file, file.length / 2)),
        EVERY_OTHER_PAGE(file -> {
            for (int page = 1; (page + 1) * PAGE <= file.length; page += 2) {
                fill(file, page * PAGE, (page + 1) * PAGE);
            }
            return file;
        });

        private final UnaryOperator<byte[]> change;

        Damage(UnaryOperator<byte[]> change) {
            this.change = change;
        }

        private static byte[] fill(byte[] file, int from, int to) {
            byte[] garbage = new byte[to - from];
            new Random(from).nextBytes(garbage);
            System.arraycopy(garbage, 0, file, from, garbage.length);
            return file;
        }
    }

    private static Counters open(Path file) {
        return Counters.over(JdbcCounterBackend.create(SqliteFixture.file(file)));
    }

    @ParameterizedTest
    @EnumSource
    void totalIsRightOrReportedAsDamaged(Damage damage) throws IOException {
        Path file = directory.resolve("counters.db");
        JdbcCounterBackend.create(
                        SqliteFixture.file(file),
                        JdbcCounterOptions.builder().createTables(true).build())
                .close();
        try (Counters counters = open(file)) {
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            for (int i = 0; i < COUNTERS; i++) {
                adds.add(counters.counter(name(i)).async().add(i + 1));
            }
            adds.forEach(CompletableFuture::join);
        }
        Files.write(file, damage.change.apply(Files.readAllBytes(file)));

        int damaged = 0;
        try (Counters counters = open(file)) {
            for (int i = 0; i < COUNTERS; i += 10) {
                try {
                    assertThat(counters.counter(name(i)).get()).as(name(i)).isEqualTo(i + 1);
                } catch (CorruptDataException e) {
                    damaged++;
                    assertThat(e).hasMessageContaining("damaged");
                }
            }
        } catch (CorruptDataException e) {
            damaged++;
        }
        assertThat(damaged).isPositive();
    }

    private static String name(int i) {
        return "posts/" + i + "/likes";
    }
}
