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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged file of SQLite: a total is right, or reported as damaged. */
class SqliteDamagedFileTest {
    private static final int PAGE = 4096;
    private static final int COUNTERS = 1_500;

    @TempDir
    Path directory;

    enum Damage {
        HEADER,
        SCHEMA,
        MIDDLE,
        ZEROS_FROM_THE_MIDDLE,
        CUT_IN_HALF,
        EVERY_OTHER_PAGE;

        byte[] applyTo(byte[] file) {
            int middle = file.length / 2 / PAGE * PAGE;
            return switch (this) {
                case HEADER -> fill(file, 0, 100);
                case SCHEMA -> fill(file, 100, PAGE);
                case MIDDLE -> fill(file, middle, middle + PAGE);
                case ZEROS_FROM_THE_MIDDLE -> Arrays.copyOf(Arrays.copyOf(file, middle), file.length);
                case CUT_IN_HALF -> Arrays.copyOf(file, middle);
                case EVERY_OTHER_PAGE -> {
                    for (int page = PAGE; page + PAGE <= file.length; page += 2 * PAGE) {
                        fill(file, page, page + PAGE);
                    }
                    yield file;
                }
            };
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
        Files.write(file, damage.applyTo(Files.readAllBytes(file)));

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
