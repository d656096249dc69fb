package io.counterkit.firestore.internal.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.FollowOptions;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.Watch;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.Listens;
import io.counterkit.firestore.fixture.TestStore;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Followers that a listener wakes: their cadence is an hour, so no poll delivers an entry. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ListeningFollowerTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final TestStore store = new TestStore();
    private final Sequence orders = store.counters().sequence(TestStore.name());
    private final Listens listens = new Listens();
    private final Firestore client =
            FirestoreFixture.emulator().connect(store.project(), UnaryOperator.identity(), listens);
    private final Counters counters = Counters.over(FirestoreCounterBackend.create(
            client,
            FirestoreCounterOptions.builder()
                    .listenerLinger(Duration.ofMillis(1))
                    .build()));
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        counters.close();
        client.shutdown();
        store.close();
        assertThat(failures).isEmpty();
    }

    private Follower follow(Counters process, Duration cadence) {
        return process.sequence(orders.name())
                .follow(
                        1,
                        FollowOptions.defaults().withCadence(cadence).withFailures(failures::add),
                        entry -> numbers.add(entry.number()));
    }

    private static ConditionFactory patiently() {
        return await().pollInterval(Duration.ofMillis(10));
    }

    private void awaitListening(int streams) {
        patiently().until(() -> listens.upToDate() >= streams);
    }

    private void awaitEach(Follower follower, long position) {
        patiently().until(() -> follower.position() == position);
        assertThat(numbers)
                .isEqualTo(LongStream.rangeClosed(1, position).boxed().toList());
    }

    private void append(int count) {
        IntStream.range(0, count).mapToObj(i -> orders.async().next()).toList().forEach(CompletableFuture::join);
    }

    @Test
    void entryOfAnotherProcess_arrives() {
        Follower follower = follow(counters, HOUR);
        awaitListening(1);
        for (int i = 1; i <= 3; i++) {
            orders.next();
            awaitEach(follower, i);
        }
        assertThat(listens.opened()).isOne();
    }

    @Test
    void moreEntriesThanAListenerIncludes_arrive() {
        Follower follower = follow(counters, HOUR);
        awaitListening(1);
        append(40);
        awaitEach(follower, 40);
        awaitListening(2);
        orders.next();
        awaitEach(follower, 41);
        assertThat(listens.opened()).isEqualTo(2);
    }

    @Test
    void followersOfOneSequence_shareAListenerThatEndsWithTheLast() {
        Follower one = follow(counters, HOUR);
        awaitListening(1);
        List<Long> ofAnother = new CopyOnWriteArrayList<>();
        Follower other = counters.sequence(orders.name())
                .follow(
                        1,
                        FollowOptions.defaults().withCadence(HOUR).withFailures(failures::add),
                        entry -> ofAnother.add(entry.number()));
        orders.next();
        awaitEach(one, 1);
        patiently().until(() -> ofAnother.contains(1L));
        one.close();
        orders.next();
        patiently().until(() -> ofAnother.contains(2L));
        assertThat(listens.opened()).isOne();
        other.close();
        patiently().until(() -> listens.open() == 0);
    }

    @Test
    void closedBackend_endsTheListener() {
        follow(counters, HOUR);
        awaitListening(1);
        counters.close();
        patiently().until(() -> listens.open() == 0);
    }

    @Test
    void seal_endsTheListenerAndLosesNoEntry() {
        Follower follower = follow(counters, HOUR);
        awaitListening(1);
        append(2);
        orders.seal("elsewhere");
        awaitEach(follower, 2);
        patiently().until(() -> listens.open() == 0);
    }

    @Test
    void listenersOfUnwatchedCounters_makeRoomForAFollower() {
        Counters lingering = Counters.over(FirestoreCounterBackend.create(client));
        for (int i = 1; i <= 40; i++) {
            int streams = i;
            Watch watch = lingering.counter(orders.name() + i).watch(HOUR, reading -> {});
            patiently().until(() -> listens.opened() == streams);
            watch.close();
        }
        orders.next();
        awaitEach(follow(lingering, HOUR), 1);
        patiently().until(() -> listens.opened() == 41);
        patiently().until(() -> listens.open() == 40);
        lingering.close();
    }

    @Test
    void refusedListener_isReplacedByPollingAndOpenedAgain() {
        listens.refuse(Status.PERMISSION_DENIED);
        Follower follower = follow(counters, Duration.ofMillis(50));
        orders.next();
        awaitEach(follower, 1);
        patiently().until(() -> listens.opened() >= 2);
        listens.refuse(null);
        patiently().until(() -> listens.open() == 1);
        orders.next();
        awaitEach(follower, 2);
    }
}
