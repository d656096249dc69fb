package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.CountersListener;
import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** Records the readings that a watch of the API layer or of a backend reports. */
final class ReportedReadings implements Consumer<Reading>, CounterStore.Sink {
    final List<Reading> readings = new CopyOnWriteArrayList<>();

    @Override
    public void accept(Reading reading) {
        readings.add(reading);
    }

    @Override
    public Call call() {
        return new Call(Duration.ofSeconds(20), CountersListener.disabled());
    }

    @Override
    public void reading(Reading reading) {
        accept(reading);
    }

    @Override
    public void failure(CounterException failure) {}

    List<Long> values() {
        return readings.stream().map(Reading::value).toList();
    }

    long last() {
        return readings.get(readings.size() - 1).value();
    }

    /** Waits until the last reading has this total. */
    void await(long total) {
        Awaitility.await("a reading of the watch with the total " + total)
                .atMost(ConcurrentTasks.PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() ->
                        assertThat(readings).last().extracting(Reading::value).isEqualTo(total));
    }

    /** The same, with hardly any pause between two checks. */
    void awaitSoon(long total) {
        long start = System.nanoTime();
        while ((readings.isEmpty() || last() != total)
                && System.nanoTime() - start < ConcurrentTasks.PATIENCE.toNanos()) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
        }
        assertThat(readings).last().extracting(Reading::value).isEqualTo(total);
    }
}
