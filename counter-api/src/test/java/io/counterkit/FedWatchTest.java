package io.counterkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Watches whose readings the backend reports, and the newest reading of a watch. */
class FedWatchTest extends WatchSetup {
    @Test
    void backendThatFeedsTheWatch_isNotPolled() {
        FedWatch fed = fed();
        Watch watch = watch();
        fed.sink().reading(reading(4, 0));
        fed.sink().failure(new NotAppliedException("for a while"));
        await().untilAsserted(() -> assertThat(values).containsExactly(4L));
        await().untilAsserted(() -> assertThat(failures).hasSize(1));
        assertThat(fed.sink().call().remaining())
                .isPositive()
                .isLessThanOrEqualTo(CountersOptions.defaults().deadline());
        watch.close();
        assertThat(fed.closed).hasValue(1);
        fed.sink().reading(reading(5, 1));
        fed.sink().failure(new NotAppliedException("too late"));
        assertThat(backend.others().asked()).isEmpty();
        counters.close();
        assertThat(fed.closed).as("once only").hasValue(1);
        assertThat(values).containsExactly(4L);
        assertThat(failures).hasSize(1);
    }

    @Test
    void closeOfTheCounters_closesTheBackendsWatch() {
        FedWatch fed = fed();
        watch();
        counters.close();
        assertThat(fed.closed).hasValue(1);
    }

    @Test
    void closeOfTheCounters_closesTheBackend_evenIfItsWatchThrows() {
        backend.watch(sink -> () -> {
            throw new IllegalStateException("a backend's watch that cannot be closed");
        });
        watch();
        FedWatch second = fed();
        watch();
        counters.close();
        assertThat(second.closed).hasValue(1);
        assertThat(backend.closed()).isEqualTo(1);
    }

    @Test
    void readingsFasterThanTheCadence_areThrottledToTheNewest() {
        FedWatch fed = fed();
        List<Reading> shown = new CopyOnWriteArrayList<>();
        List<Long> shownAt = new CopyOnWriteArrayList<>();
        CountDownLatch allSent = new CountDownLatch(1);
        likes.watch(Duration.ofSeconds(1), reading -> {
            shownAt.add(System.nanoTime());
            shown.add(reading);
            awaitOrFail(allSent); // the next delivery is at least a second later, after all of them
        });
        long began = System.nanoTime();
        fed.sink().reading(reading(0, 0));
        await().until(() -> shown.size() == 1);
        for (int i = 1; i <= 50; i++) {
            fed.sink().reading(reading(i, i));
        }
        fed.sink().reading(reading(17, 17));
        allSent.countDown();
        await().until(() -> shown.size() == 2);
        assertThat(shownAt.get(1) - began).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(shown.get(1).value()).isEqualTo(50);
        assertThat(shown.get(1).asOf()).isEqualTo(NOON.plusSeconds(50));
        assertThat(shown.get(1).staleness()).as("it has grown older meanwhile").isGreaterThan(CADENCE);
    }

    @Test
    void latest_isRefreshedByUnchangedReadings() {
        FedWatch fed = fed();
        Watch watch = watch();
        assertThat(watch.latest()).isNull();
        fed.sink().reading(reading(4, 0));
        await().untilAsserted(() -> assertThat(values).containsExactly(4L));
        fed.sink().reading(new Reading(4, NOON.plusSeconds(1), DAY));
        fed.sink().reading(reading(3, 0)); // older
        assertThat(watch.latest()).satisfies(latest -> {
            assertThat(latest.value()).isEqualTo(4);
            assertThat(latest.asOf()).isEqualTo(NOON.plusSeconds(1));
            assertThat(latest.staleness()).isGreaterThan(DAY);
        });
        assertThat(values).containsExactly(4L);
    }

    @Test
    void latest_agesWhileTheCounterCannotBeRead() {
        answerWithTotal();
        Watch watch = watch();
        await().until(() -> !values.isEmpty());
        backend.others().on("read", () -> CompletableFuture.failedFuture(new NotAppliedException("down")));
        await().until(() -> failures.size() >= 2);
        Duration before = requireNonNull(watch.latest()).staleness();
        await().until(() -> failures.size() >= 3);
        assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.staleness()).isGreaterThan(before));
        answerWithTotal();
        await().untilAsserted(() -> assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.staleness()).isLessThan(before)));
        assertThat(values).as("it is back, and has not changed").containsExactly(0L);
    }

    @Test
    void latest_ofAClosedWatchIsTheLastReading() {
        answerWithTotal();
        Watch watch = watch();
        await().until(() -> watch.latest() != null);
        watch.close();
        total.set(1);
        List<Long> others = new CopyOnWriteArrayList<>();
        likes.watch(CADENCE, reading -> others.add(reading.value()));
        await().until(() -> others.contains(1L));
        assertThat(watch.latest())
                .satisfies(latest -> assertThat(latest.value()).isZero());
    }

    /** The thread of the watches ends after a second without work, and is created again. */
    @Test
    void threadThatCannotBeCreatedForAWhile_delaysTheWatches() {
        FedWatch fed = fed();
        Watch watch = watch();
        fed.sink().reading(reading(1, 0));
        await().untilAsserted(() -> assertThat(values).containsExactly(1L));
        awaitEndOf(threads.element());
        threadsToFail.set(2);
        fed.sink().reading(reading(2, 1));
        fed.sink().failure(new NotAppliedException("for a while"));
        await().untilAsserted(() -> assertThat(values).containsExactly(1L, 2L));
        await().untilAsserted(() -> assertThat(failures).hasSize(1));
        assertThat(threadsToFail).hasNonPositiveValue();
        watch.close();
    }
}
