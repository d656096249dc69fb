package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.jdbc.SchemaTest.Store;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Followers whose consumer writes to the same database: it moves the checkpoint in its own transaction, as docs/jdbc.md
 * shows, and each entry takes effect exactly once.
 */
@ParameterizedClass
@EnumSource
class FollowWithinTest {
    private static final int ENTRIES = 20;

    @Parameter
    private Store store = Store.SQLITE;

    @TempDir
    Path directory;

    private final JdbcFaults faults = new JdbcFaults();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger skipped = new AtomicInteger();
    private Shop shop;
    private Counters counters;

    @BeforeEach
    void open() throws SQLException {
        shop = new Shop(store, directory);
        counters = open(shop.backend);
    }

    private static Counters open(JdbcCounterBackend backend) {
        return Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
    }

    @AfterEach
    void close() {
        counters.close();
    }

    private void append(int entries) {
        IntStream.range(0, entries).forEach(i -> counters.sequence(shop.name).append(Map.of("customer", "c-" + i)));
    }

    private Follower follow(Counters process, DataSource source) {
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(20)).withFailures(failures::add);
        Counter done = process.counter(shop.name + "/done");
        return process.sequence(shop.name).follow(done, options, entry -> process(source, done, entry));
    }

    private void process(DataSource source, Counter done, Entry entry) {
        try (Connection connection = Shop.begin(source)) {
            try {
                process(connection, done, entry);
            } catch (Throwable e) {
                connection.rollback();
                throw e;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void process(Connection connection, Counter done, Entry entry) throws SQLException {
        shop.backend.within(connection).add(done.name(), 1);
        if (done.get() < entry.number()) {
            shop.insert(connection, entry.number());
            connection.commit();
        } else {
            skipped.incrementAndGet();
            connection.rollback();
        }
    }

    private void assertExact(long last) throws SQLException {
        assertThat(shop.numbers())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(counters.counter(shop.name + "/done").get()).isEqualTo(last);
    }

    /** After each failure the process is restarted: another follower begins at the checkpoint. */
    @Test
    @Tag("exhaustive")
    void crashAtAnyStep_repeatsAndLosesNothing() throws SQLException {
        DataSource disturbed = faults.around(shop.source, JdbcFaults.Calls.ROUND_TRIPS);
        long last = 0;
        for (StoreFault fault : new StoreFault[] {StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY}) {
            boolean isHit = true;
            for (int call = 1; isHit; call++) {
                append(1);
                last++;
                try (InjectedFault injected = faults.inject(fault, call)) {
                    long end = last;
                    try (Follower first = follow(counters, disturbed)) {
                        await().atMost(Duration.ofMinutes(1))
                                .until(() -> !failures.isEmpty() || first.position() == end);
                    }
                    isHit = injected.isHit();
                }
                failures.clear();
                try (Follower second = follow(counters, shop.source)) {
                    long end = last;
                    await().atMost(Duration.ofMinutes(1)).until(() -> second.position() == end);
                }
                assertExact(last);
            }
        }
        assertThat(last).as("calls of a transaction, twice").isGreaterThan(5);
    }

    /** The follower itself tries again, and finds that the transaction was committed. */
    @Test
    @Tag("exhaustive")
    void lostReplyOfACommit_isNoticedByTheSameFollower() throws SQLException {
        AtomicBoolean isLost = new AtomicBoolean();
        append(3);
        Counter done = counters.counter(shop.name + "/done");
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(20)).withFailures(failures::add);
        try (Follower follower = counters.sequence(shop.name).follow(done, options, entry -> {
            process(shop.source, done, entry);
            if (entry.number() == 2 && !isLost.getAndSet(true)) {
                throw new IllegalStateException("the reply to the commit is lost");
            }
        })) {
            await().atMost(Duration.ofMinutes(1)).until(() -> follower.position() == 3);
        }
        assertThat(failures).hasSize(1);
        assertThat(skipped).hasValue(1);
        assertExact(3);
    }

    @Test
    void twoFollowersOfOneCheckpoint_shareTheEntries() throws SQLException {
        Counters other = open(JdbcCounterBackend.create(shop.source));
        append(ENTRIES / 2);
        try (other;
                Follower one = follow(counters, shop.source);
                Follower two = follow(other, shop.source)) {
            append(ENTRIES / 2);
            await().atMost(Duration.ofMinutes(1)).until(() -> one.position() == ENTRIES && two.position() == ENTRIES);
        }
        assertExact(ENTRIES);
    }

    /** A process that stood still before its transaction began finds that another one has processed the entry. */
    @Test
    void followerThatStoodStill_skipsWhatAnotherOneProcessed() throws Exception {
        append(2);
        CountDownLatch isStanding = new CountDownLatch(1);
        CountDownLatch mayContinue = new CountDownLatch(1);
        Counter done = counters.counter(shop.name + "/done");
        Follower standing = counters.sequence(shop.name).follow(done, FollowOptions.defaults(), entry -> {
            isStanding.countDown();
            await().atMost(Duration.ofMinutes(1)).until(() -> mayContinue.getCount() == 0);
            process(shop.source, done, entry);
        });
        isStanding.await();
        try (Follower other = follow(counters, shop.source)) {
            append(1);
            await().atMost(Duration.ofMinutes(1)).until(() -> other.position() == 3);
        }
        mayContinue.countDown();
        await().atMost(Duration.ofMinutes(1)).until(() -> standing.position() == 3);
        standing.close();
        assertThat(skipped).hasValue(3);
        assertExact(3);
    }
}
