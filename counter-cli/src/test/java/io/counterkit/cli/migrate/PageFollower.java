package io.counterkit.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.migration.fixture.MigrationWriter;
import io.counterkit.spi.CounterBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/** A process of the application of docs/migration.md that follows 'orders'. */
final class PageFollower {
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private Counters deployed;
    private Follower follower;

    PageFollower(CounterBackend first) {
        follow(first, 1);
    }

    private void follow(CounterBackend backend, long from) {
        deployed = MigrationWriter.patient(backend);
        FollowOptions options =
                FollowOptions.defaults().withCadence(Duration.ofMillis(100)).withFailures(failures::add);
        follower = deployed.sequence("orders").follow(from, options, this::process);
    }

    private void process(Entry entry) {
        numbers.add(entry.number());
    }

    /** Restarts the process with another configuration. */
    void deploy(CounterBackend next) {
        stop();
        follow(next, follower.position() + 1);
    }

    /** Checks that each entry was processed once and in order, and that none is missing up to the last. */
    void assertExact(long last) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> follower.position() >= last || !failures.isEmpty());
        stop();
        assertThat(failures).isEmpty();
        assertThat(numbers)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
    }

    void stop() {
        deployed.close();
    }
}
