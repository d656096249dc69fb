package io.counterkit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Counters;
import io.counterkit.CountersListener.Batch;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.QueueFullException;
import io.counterkit.inmemory.Calls;
import io.counterkit.inmemory.Fault;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.inmemory.InMemoryStore;
import io.counterkit.inmemory.Injection;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the meters after each kind of event. */
class MicrometerCountersListenerTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerCountersListener listener = MicrometerCountersListener.create(registry, Tags.empty());
    private final String likes = name();
    private final String views = name();
    private final String invoices = name();

    /** A batch carries the adds of one counter, and one batch is in flight at a time. */
    private final InMemoryStore store = InMemoryStore.create(
            InMemoryOptions.builder().batches(BatchLimits.ofWeight(1)).build());

    private final Counters counters = over(CountersOptions.builder());

    @Test
    void metersOfTheTable_areRegisteredAtCreation() {
        assertThat(meters())
                .containsExactlyInAnyOrder(
                        "counterkit.requests COUNTER requests kind=add",
                        "counterkit.requests COUNTER requests kind=append",
                        "counterkit.failures COUNTER failures kind=add",
                        "counterkit.failures COUNTER failures kind=append",
                        "counterkit.batches TIMER seconds kind=add",
                        "counterkit.batches TIMER seconds kind=append",
                        "counterkit.batch.waiting DISTRIBUTION_SUMMARY requests kind=add",
                        "counterkit.batch.waiting DISTRIBUTION_SUMMARY requests kind=append",
                        "counterkit.batch.merged DISTRIBUTION_SUMMARY requests ",
                        "counterkit.retries COUNTER retries exception=none",
                        "counterkit.conflicts COUNTER conflicts ",
                        "counterkit.refusals COUNTER refusals ",
                        "counterkit.read.staleness TIMER seconds ");
        assertThat(registry.getMeters())
                .allMatch(meter -> meter.getId().getDescription() != null)
                .allSatisfy(meter -> assertThat(meter.measure()).allMatch(measurement -> measurement.getValue() == 0));
    }

    @Test
    void addsAndAppends_haveTheirOwnMeters() {
        counters.counter(likes).add(5);
        counters.counter(views).add(7);
        counters.sequence(invoices).append(Map.of());

        assertThat(count("counterkit.requests", "kind", "add")).isEqualTo(2);
        assertThat(count("counterkit.requests", "kind", "append")).isEqualTo(1);
        assertThat(timer("counterkit.batches", "kind", "add").count()).isEqualTo(2);
        assertThat(timer("counterkit.batches", "kind", "append").count()).isEqualTo(1);
        assertThat(count("counterkit.failures", "kind", "add")).isZero();
        assertThat(count("counterkit.failures", "kind", "append")).isZero();
    }

    @Test
    void waitingAdds_areMergedAndTheRestOfTheQueueIsCounted() {
        Injection held = store.faults().inject(Fault.HOLD, Calls.next(likes));
        List<CompletableFuture<Void>> adds = Stream.of(likes, likes, likes, likes, views)
                .map(name -> counters.counter(name).async().add(1))
                .toList();
        held.release(); // sends 1 add, then 3 merged ones while 1 waits, then that one
        adds.forEach(CompletableFuture::join);

        assertThat(count("counterkit.requests", "kind", "add")).isEqualTo(5);
        assertThat(summary("counterkit.batch.merged").count()).isEqualTo(3);
        assertThat(summary("counterkit.batch.merged").totalAmount()).isEqualTo(2);
        assertThat(summary("counterkit.batch.merged").max()).isEqualTo(2);
        assertThat(summary("counterkit.batch.waiting", "kind", "add").count()).isEqualTo(3);
        assertThat(summary("counterkit.batch.waiting", "kind", "add").max()).isEqualTo(1);
    }

    @Test
    void waitingAppends_areNotMerged() {
        Injection held = store.faults().inject(Fault.HOLD, Calls.next(invoices));
        List<CompletableFuture<?>> appends = Stream.of(1, 2, 3)
                .<CompletableFuture<?>>map(
                        i -> counters.sequence(invoices).async().append(Map.of()))
                .toList();
        held.release();
        appends.forEach(CompletableFuture::join);

        assertThat(count("counterkit.requests", "kind", "append")).isEqualTo(3);
        assertThat(summary("counterkit.batch.merged").count()).isZero();
        assertThat(summary("counterkit.batch.waiting", "kind", "append").max()).isEqualTo(1);
    }

    @Test
    void failures_areNotAppliedOrUnknown() {
        store.faults().inject(Fault.FAIL, Calls.next(likes));
        store.faults().inject(Fault.LOSE_REPLY, Calls.next(invoices));

        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> counters.counter(likes).add(1));
        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> counters.sequence(invoices).append(Map.of()));
        counters.sequence(invoices).append(Map.of());

        assertThat(count("counterkit.failures", "kind", "add")).isEqualTo(1);
        assertThat(count("counterkit.requests", "kind", "add")).isEqualTo(1);
        assertThat(count("counterkit.failures", "kind", "append")).isEqualTo(1);
        assertThat(count("counterkit.requests", "kind", "append")).isEqualTo(2);
    }

    @Test
    void requestWithoutRoom_isARefusalAndNotAFailure() {
        Counters small = over(CountersOptions.builder().queueLimit(1));
        Injection held = store.faults().inject(Fault.HOLD, Calls.next(likes));
        CompletableFuture<Void> first = small.counter(likes).async().add(1);

        assertThatExceptionOfType(QueueFullException.class)
                .isThrownBy(() -> small.counter(likes).add(1));
        held.release();
        first.join();

        assertThat(count("counterkit.refusals")).isEqualTo(1);
        assertThat(count("counterkit.requests", "kind", "add")).isEqualTo(1);
        assertThat(count("counterkit.failures", "kind", "add")).isZero();
    }

    @Test
    void latency_isThatOfTheBatch() {
        listener.onBatch(batch(ChangeTarget.Kind.COUNTER, Duration.ofMillis(250)));
        listener.onBatch(batch(ChangeTarget.Kind.SEQUENCE, Duration.ofMillis(40)));

        assertThat(timer("counterkit.batches", "kind", "add").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(250);
        assertThat(timer("counterkit.batches", "kind", "append").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(40);
    }

    @Test
    void staleness_isRecordedForEachRead() {
        counters.counter(likes).get();
        listener.onRead(views, Duration.ofSeconds(3));

        Timer staleness = timer("counterkit.read.staleness");
        assertThat(staleness.count()).isEqualTo(2);
        assertThat(staleness.totalTime(TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(staleness.max(TimeUnit.SECONDS)).isEqualTo(3);
    }

    @Test
    void retries_areTaggedWithTheClassOfTheirCause() {
        Call call = new Call(Duration.ofSeconds(1), listener);
        call.reportRetry(new IOException("reset by peer"));
        call.reportRetry(new IOException("broken pipe"));
        call.reportRetry(new UncheckedIOException(new IOException("closed")));
        call.reportRetry(new IOException("of an anonymous class") {});

        assertThat(count("counterkit.retries", "exception", "IOException")).isEqualTo(2);
        assertThat(count("counterkit.retries", "exception", "UncheckedIOException"))
                .isEqualTo(1);
        assertThat(count("counterkit.retries", "exception", "none")).isEqualTo(1);
        assertThat(count("counterkit.conflicts")).isZero();
    }

    @Test
    void conflict_countsForEachName() {
        new Call(Duration.ofSeconds(1), listener).reportConflict(List.of(likes, views));

        assertThat(count("counterkit.conflicts")).isEqualTo(2);
    }

    @Test
    void names_areNotTimeSeries() {
        List<String> before = meters();
        for (int i = 0; i < 50; i++) {
            String name = name();
            counters.counter(name).add(1);
            counters.counter(name).get();
            counters.sequence(name).append(Map.of());
            listener.onConflict(name);
            listener.onQueueFull("add 1 to '" + name + "'");
        }

        assertThat(meters()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void tags_areOnEveryMeterAndDistinguishListeners() {
        MicrometerCountersListener tagged = MicrometerCountersListener.create(registry, Tags.of("store", "orders"));
        tagged.onBatch(batch(ChangeTarget.Kind.COUNTER, Duration.ZERO));
        tagged.onConflict(likes);
        tagged.onRetry(new IOException("reset by peer"));

        assertThat(registry.find("counterkit.retries")
                        .tags("store", "orders", "exception", "IOException")
                        .counter())
                .isNotNull();
        assertThat(registry.getMeters().stream()
                        .filter(meter -> "orders".equals(meter.getId().getTag("store"))))
                .hasSize(14);
        assertThat(count("counterkit.requests", "store", "orders", "kind", "add"))
                .isEqualTo(1);
        assertThat(count("counterkit.conflicts", "store", "orders")).isEqualTo(1);
        assertThat(registry.getMeters().stream()
                        .filter(meter -> meter.getId().getTag("store") == null)
                        .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                        .sum())
                .isZero();
    }

    @Test
    void listenersWithTheSameTags_shareTheirMeters() {
        MicrometerCountersListener second = MicrometerCountersListener.create(registry, Tags.empty());
        listener.onConflict(likes);
        second.onConflict(likes);

        assertThat(count("counterkit.conflicts")).isEqualTo(2);
    }

    @Test
    void reservedTag_isRefused() {
        for (String key : List.of("kind", "exception")) {
            SimpleMeterRegistry empty = new SimpleMeterRegistry();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> MicrometerCountersListener.create(empty, Tags.of(key, "mine")))
                    .withMessageContaining("tag " + key + "=mine");
            assertThat(empty.getMeters()).isEmpty();
        }
    }

    private Counters over(CountersOptions.Builder options) {
        return Counters.over(
                InMemoryBackend.over(store), options.listener(listener).build());
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private Timer timer(String name, String... tags) {
        return registry.get(name).tags(tags).timer();
    }

    private DistributionSummary summary(String name, String... tags) {
        return registry.get(name).tags(tags).summary();
    }

    /** Returns the name, type, base unit and tags of each meter. */
    private List<String> meters() {
        return registry.getMeters().stream()
                .map(meter -> meter.getId())
                .map(id -> id.getName() + " " + id.getType() + " " + id.getBaseUnit() + " "
                        + id.getTags().stream()
                                .map(MicrometerCountersListenerTest::words)
                                .collect(Collectors.joining(",")))
                .toList();
    }

    private static String words(Tag tag) {
        return tag.getKey() + "=" + tag.getValue();
    }

    private static Batch batch(ChangeTarget.Kind kind, Duration latency) {
        return new Batch(kind, name(), 1, 0, 0, 0, latency);
    }

    private static String name() {
        return UUID.randomUUID().toString();
    }
}
