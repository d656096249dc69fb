package io.counterkit.micrometer;

import io.counterkit.CountersListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Records the events of a {@link io.counterkit.Counters} in a {@link MeterRegistry}: pass it to
 * {@link io.counterkit.CountersOptions.Builder#listener}. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <thead><tr><th>name</th><th>type</th><th>base unit</th><th>tag</th><th>measures</th></tr></thead>
 * <tbody>
 * <tr><td>{@code counterkit.requests}</td><td>counter</td><td>requests</td><td>{@code kind}</td>
 *     <td>adds or appends of callers in batches that were answered, including failed ones; a request that is sent again
 *     counts in each batch</td></tr>
 * <tr><td>{@code counterkit.failures}</td><td>counter</td><td>failures</td><td>{@code kind}</td>
 *     <td>the requests that were not applied or whose outcome is unknown</td></tr>
 * <tr><td>{@code counterkit.batches}</td><td>timer</td><td>of the registry</td><td>{@code kind}</td>
 *     <td>the latency of batches from sending to the answer; a request that is not combined is a batch of one</td></tr>
 * <tr><td>{@code counterkit.batch.waiting}</td><td>distribution</td><td>requests</td><td>{@code kind}</td>
 *     <td>the requests left in the queue when a batch was sent</td></tr>
 * <tr><td>{@code counterkit.batch.merged}</td><td>distribution</td><td>requests</td><td></td>
 *     <td>the adds of a batch that were merged into another add</td></tr>
 * <tr><td>{@code counterkit.retries}</td><td>counter</td><td>retries</td><td>{@code exception}</td>
 *     <td>calls that were sent to the store again</td></tr>
 * <tr><td>{@code counterkit.conflicts}</td><td>counter</td><td>conflicts</td><td></td>
 *     <td>conflicts with other writers, one for each counter or sequence of the change</td></tr>
 * <tr><td>{@code counterkit.refusals}</td><td>counter</td><td>refusals</td><td></td>
 *     <td>requests, including reads, that were refused because the queue was full; they are not counted as requests or
 *     failures</td></tr>
 * <tr><td>{@code counterkit.read.staleness}</td><td>timer</td><td>of the registry</td><td></td>
 *     <td>the greatest possible age of each total that was read</td></tr>
 * </tbody>
 * </table>
 *
 * <p>{@code kind} is {@code add} or {@code append}. {@code exception} is the simple class name of the cause, or
 * {@code none} for an anonymous class. The names of counters and sequences are not tags: there may be millions, and
 * each would be a permanent time series. To measure a few of them separately, give each a {@code Counters} with its own
 * tags.
 *
 * <p>All meters are registered when the listener is created, except the retries of each cause. Histograms and
 * percentiles are off; a {@link io.micrometer.core.instrument.config.MeterFilter} of the registry turns them on.
 */
public final class MicrometerCountersListener implements CountersListener {
    private static final String EXCEPTION = "exception";
    private static final String NO_NAME = "none";
    private static final Set<String> RESERVED = Set.of(BatchMeters.KIND, EXCEPTION);

    private final BatchMeters adds;
    private final BatchMeters appends;
    private final DistributionSummary merged;
    private final MeterProvider<Counter> retries;
    private final Counter conflicts;
    private final Counter refusals;
    private final Timer staleness;

    private MicrometerCountersListener(MeterRegistry registry, Tags tags) {
        adds = BatchMeters.register(registry, tags, "add");
        appends = BatchMeters.register(registry, tags, "append");
        merged = DistributionSummary.builder("counterkit.batch.merged")
                .description("Adds per batch that were merged into another add")
                .baseUnit("requests")
                .tags(tags)
                .register(registry);
        retries = Counter.builder("counterkit.retries")
                .description("Calls that were sent to the store again")
                .baseUnit("retries")
                .tags(tags)
                .withRegistry(registry);
        Counter unused = retries.withTag(EXCEPTION, NO_NAME); // a dashboard shows 0 before the first retry
        conflicts = Counter.builder("counterkit.conflicts")
                .description("Conflicts with other writers")
                .baseUnit("conflicts")
                .tags(tags)
                .register(registry);
        refusals = Counter.builder("counterkit.refusals")
                .description("Requests that were refused because the queue was full")
                .baseUnit("refusals")
                .tags(tags)
                .register(registry);
        staleness = Timer.builder("counterkit.read.staleness")
                .description("The greatest possible age of each total that was read")
                .tags(tags)
                .register(registry);
    }

    /**
     * Registers the meters and returns a listener that records in them. Listeners with the same tags share their
     * meters; to distinguish several {@code Counters}, give each its own tags.
     *
     * @param tags the tags of every meter; {@link Tags#empty()} for none
     * @throws IllegalArgumentException if a tag is named {@code kind} or {@code exception}, or the registry has a meter
     *     with one of the names and another type; some of the meters may then be registered
     */
    public static MicrometerCountersListener create(MeterRegistry registry, Tags tags) {
        Objects.requireNonNull(registry, "registry");
        for (Tag tag : tags) {
            if (RESERVED.contains(tag.getKey())) {
                throw new IllegalArgumentException("tag " + tag.getKey() + "=" + tag.getValue()
                        + ": CounterKit uses the keys kind and exception; use another key");
            }
        }
        return new MicrometerCountersListener(registry, tags);
    }

    @Override
    public void onBatch(Batch batch) {
        switch (batch.kind()) {
            case COUNTER -> {
                adds.record(batch);
                merged.record(batch.merged());
            }
            case SEQUENCE -> appends.record(batch);
        }
    }

    @Override
    public void onConflict(String name) {
        conflicts.increment();
    }

    @Override
    public void onRetry(Throwable cause) {
        String type = cause.getClass().getSimpleName();
        retries.withTag(EXCEPTION, type.isEmpty() ? NO_NAME : type).increment();
    }

    @Override
    public void onQueueFull(String request) {
        refusals.increment();
    }

    @Override
    public void onRead(String counter, Duration staleness) {
        this.staleness.record(staleness);
    }
}
