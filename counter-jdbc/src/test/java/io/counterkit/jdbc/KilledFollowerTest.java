package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.jdbc.SchemaTest.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Processes that follow one sequence with one checkpoint are killed at random: each entry took effect exactly once. */
@Tag("exhaustive")
class KilledFollowerTest {
    private static final int ROUNDS = 3;
    private static final int ENTRIES = 100;

    /** An entry takes a few new connections, and 300 of them may take more than a minute on a busy machine. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    /** Follows until it is killed. Arguments: the file or the URL, the sequence, the table. */
    public static void main(String[] arguments) throws InterruptedException {
        Follower unused = follow(source(arguments[0]), arguments[1], arguments[2]);
        new CountDownLatch(1).await();
    }

    private static DataSource source(String place) {
        if (!place.startsWith("jdbc:postgresql:")) {
            return SqliteFixture.file(Path.of(place));
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(place);
        return source;
    }

    private static Follower follow(DataSource source, String name, String table) {
        JdbcCounterBackend backend = JdbcCounterBackend.create(source);
        Counters counters = Counters.over(backend);
        Counter done = counters.counter(name + "/done");
        FollowOptions quick = FollowOptions.defaults().withCadence(Duration.ofMillis(5));
        return counters.sequence(name).follow(done, quick, entry -> {
            try (Connection connection = Shop.begin(source)) {
                process(connection, backend, done, entry, table);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void process(
            Connection connection, JdbcCounterBackend backend, Counter done, Entry entry, String table)
            throws SQLException {
        try {
            backend.within(connection).add(done.name(), 1);
            if (done.get() < entry.number()) {
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + table + " VALUES (?)")) {
                    insert.setLong(1, entry.number());
                    insert.executeUpdate();
                }
                connection.commit();
            } else {
                connection.rollback();
            }
        } catch (Throwable e) {
            connection.rollback();
            throw e;
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedFollowers_letEachEntryTakeEffectOnce(Store store) throws Exception {
        Shop shop = new Shop(store, directory);
        Random random = new Random();
        try (Counters counters = Counters.over(shop.backend)) {
            Counter done = counters.counter(shop.name + "/done");
            String place = shop.source instanceof PGSimpleDataSource server
                    ? server.getUrl() + "&user=" + server.getUser()
                    : directory.resolve("counters.db").toString();
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < ENTRIES; i++) {
                    counters.sequence(shop.name).next();
                }
                long enough = done.get() + 1 + random.nextInt(ENTRIES / 2);
                List<Process> running = List.of(start(place, shop), start(place, shop));
                try {
                    await().atMost(LONG).until(() -> done.get() >= enough);
                } finally {
                    running.forEach(Process::destroyForcibly);
                }
                for (Process process : running) {
                    process.waitFor();
                }
            }
            long entries = ROUNDS * ENTRIES;
            try (Follower last = follow(shop.source, shop.name, shop.table)) {
                await().atMost(LONG).until(() -> last.position() == entries);
            }
            assertThat(shop.numbers())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, entries).boxed().toList());
            assertThat(done.get()).isEqualTo(entries);
        }
    }

    private static Process start(String place, Shop shop) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        KilledFollowerTest.class.getName(),
                        place,
                        shop.name,
                        shop.table)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
