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
 * Records in a {@link MeterRegistry} what a {@link io.counterkit.Counters} does: give it to
 * {@link io.counterkit.CountersOptions.Builder#listener}. Thread-safe.
 *
 * <table>
 * <caption>Meters</caption>
 * <thead><tr><th>name</th><th>type</th><th>base unit</th><th>tag</th><th>what it tells</th></tr></thead>
 * <tbody>
 * <tr><td>{@code counterkit.requests}</td><td>counter</td><td>requests</td><td>{@code kind}</td>
 *     <td>adds or appends of callers in batches that were answered, failed ones too; one that the backend asks for
 *     again counts in each batch that carried it</td></tr>
 * <tr><td>{@code counterkit.failures}</td><td>counter</td><td>failures</td><td>{@code kind}</td>
 *     <td>those of them that were not applied or whose outcome is unknown</td></tr>
 * <tr><td>{@code counterkit.batches}</td><td>timer</td><td>of the registry</td><td>{@code kind}</td>
 *     <td>batches, and their latency from sending to the answer; a request that is not combined is a batch of
 *     one</td></tr>
 * <tr><td>{@code counterkit.batch.waiting}</td><td>distribution</td><td>requests</td><td>{@code kind}</td>
 *     <td>the depth of the queue: requests left in it when a batch was sent</td></tr>
 * <tr><td>{@code counterkit.batch.merged}</td><td>distribution</td><td>requests</td><td></td>
 *     <td>adds per batch that rode along in another one's add; appends never do</td></tr>
 * <tr><td>{@code counterkit.retries}</td><td>counter</td><td>retries</td><td>{@code exception}</td>
 *     <td>calls sent to the store once more</td></tr>
 * <tr><td>{@code counterkit.conflicts}</td><td>counter</td><td>conflicts</td><td></td>
 *     <td>times that another writer was in the way, once for each counter or sequence that the change concerned</td></tr>
 * <tr><td>{@code counterkit.refusals}</td><td>counter</td><td>refusals</td><td></td>
 *     <td>requests of any sort, reads too, that the queue had no room for; they are in no batch and no
 *     failure</td></tr>
 * <tr><td>{@code counterkit.read.staleness}</td><td>timer</td><td>of the registry</td><td></td>
 *     <td>totals read, and how old they were at most</td></tr>
 * </tbody>
 * </table>
 *
 * <p>{@code kind} is {@code add} or {@code append}. {@code exception} is the simple class name of the cause, or
 * {@code none} where it has none. No meter is tagged with the name of a counter or sequence: there may be millions, and
 * each would be a time series for ever. Whoever has few can give each its own {@code Counters} with tags of its own.
 *
 * <p>Meters are registered when the listener is created and show 0 until something happens; only a retry looks up the
 * one of its cause. Histograms and percentiles are off; a {@link io.micrometer.core.instrument.config.MeterFilter} of
 * the registry turns them on.
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
                .description("Adds per batch that rode along in another one's add")
                .baseUnit("requests")
                .tags(tags)
                .register(registry);
        retries = Counter.builder("counterkit.retries")
                .description("Calls sent to the store once more")
                .baseUnit("retries")
                .tags(tags)
                .withRegistry(registry);
        Counter unused = retries.withTag(EXCEPTION, NO_NAME); // so that a dashboard finds a 0 before the first one
        conflicts = Counter.builder("counterkit.conflicts")
                .description("Times that another writer was in the way")
                .baseUnit("conflicts")
                .tags(tags)
                .register(registry);
        refusals = Counter.builder("counterkit.refusals")
                .description("Requests that the queue had no room for")
                .baseUnit("refusals")
                .tags(tags)
                .register(registry);
        staleness = Timer.builder("counterkit.read.staleness")
                .description("How old the totals that were read were at most")
                .tags(tags)
                .register(registry);
    }

    /**
     * Registers the meters and returns a listener that records in them. A second one with the same tags shares them,
     * and both are added up; give each {@code Counters} tags of its own to tell them apart.
     *
     * @param tags on every meter; {@link Tags#empty()} for none
     * @throws IllegalArgumentException if a tag is called {@code kind} or {@code exception}, or the registry has a meter
     *     of one of the names with another type; some of the meters may be registered then
     */
    public static MicrometerCountersListener create(MeterRegistry registry, Tags tags) {
        Objects.requireNonNull(registry, "registry");
        for (Tag tag : tags) {
            if (RESERVED.contains(tag.getKey())) {
                throw new IllegalArgumentException("tag " + tag.getKey() + "=" + tag.getValue()
                        + ": kind and exception are CounterKit's own; give it another key");
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
    public void onRead(String counter, Duration served) {
        staleness.record(served);
    }
}
