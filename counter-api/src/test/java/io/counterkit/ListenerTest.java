package io.counterkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersListener.Batch;
import io.counterkit.fixture.Recorder;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Result;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the events of a listener. */
class ListenerTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");
    private static final Result<Void> AGAIN = Result.retry();

    private final Recorder listener = new Recorder();
    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(2));
    private final Counters counters = over(backend);

    @Test
    void batch_reportsRequestsMergedFailedAndWaiting() {
        Sent<AddRequest, Void> first = add("first", "likes", "likes", "views", "stars", "likes");
        first.succeed();
        Sent<AddRequest, Void> second = backend.adds().next();

        second.answer(List.of(Result.failed(new ContentionException("crowded")), Result.applied()));
        backend.adds().next().succeed();

        assertThat(listener.batches())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("latency")
                .containsExactly(
                        batch(ChangeTarget.Kind.COUNTER, "first", 1, 0, 0, 0),
                        batch(ChangeTarget.Kind.COUNTER, "likes", 3, 1, 2, 2),
                        batch(ChangeTarget.Kind.COUNTER, "stars", 2, 0, 0, 0));
        assertThat(listener.batches()).allMatch(batch -> !batch.latency().isNegative());
    }

    @Test
    void failedBatch_countsAFailurePerCaller() {
        Sent<AddRequest, Void> first = add("first", "likes", "likes", "views");
        first.fail(new IOException("not connected"));
        backend.adds().next().answer(List.of());

        assertThat(listener.batches())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("latency")
                .containsExactly(
                        batch(ChangeTarget.Kind.COUNTER, "first", 1, 0, 1, 0),
                        batch(ChangeTarget.Kind.COUNTER, "likes", 3, 1, 3, 0));
    }

    @Test
    void retriedRequest_isNoFailureUnlessGivenUp() {
        Sent<AddRequest, Void> first = add("first", "likes", "views");
        first.succeed();
        backend.adds().next().answer(List.of(Result.applied(), AGAIN));
        backend.adds().next().answer(List.of(AGAIN));

        assertThat(listener.batches()).extracting(Batch::failed).containsExactly(0, 0, 1);
    }

    @Test
    void appends_areReportedAsBatches() {
        AsyncSequence invoices = counters.sequence("invoices").async();
        List<CompletableFuture<Entry>> unused =
                Stream.of(1, 2, 3, 4).map(i -> invoices.append(Map.of())).toList();
        backend.appends().next().succeed();
        Sent<AppendRequest, Entry> pair = backend.appends().next();
        pair.answer(List.of(pair.success(0), Result.failed(new ChangeRefusedException("no"))));

        assertThat(listener.batches())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("latency")
                .containsExactly(
                        batch(ChangeTarget.Kind.SEQUENCE, "invoices", 1, 0, 0, 0),
                        batch(ChangeTarget.Kind.SEQUENCE, "invoices", 2, 0, 1, 1));
    }

    @Test
    void directRequest_isABatchOfOne() {
        ScriptedBackend direct = ScriptedBackend.of(BatchLimits.none());
        Counters alone = over(direct);
        List<CompletableFuture<?>> unused = List.of(
                alone.counter("likes").async().add(1),
                alone.counter("views").async().add(2, TOKEN),
                alone.counter("stars").async().add(3),
                alone.sequence("invoices").async().append(Map.of()));

        direct.adds().next().succeed();
        direct.adds().next().fail(new IOException("not connected"));
        direct.adds().next().answer(List.of(AGAIN));
        direct.appends().next().answer(List.of(Result.failed(new NotAppliedException("no"))));

        assertThat(listener.batches())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("latency")
                .containsExactly(
                        batch(ChangeTarget.Kind.COUNTER, "likes", 1, 0, 0, 0),
                        batch(ChangeTarget.Kind.COUNTER, "views", 1, 0, 1, 0),
                        batch(ChangeTarget.Kind.COUNTER, "stars", 1, 0, 1, 0),
                        batch(ChangeTarget.Kind.SEQUENCE, "invoices", 1, 0, 1, 0));
    }

    @Test
    void addThatIsAnsweredAtOnce_isABatchOfOne() {
        over(ScriptedBackend.obedient(BatchLimits.none())).counter("likes").add(1);

        assertThat(listener.batches()).extracting(Batch::firstName).containsExactly("likes");
    }

    @Test
    void conflictsAndRetries_areReportedByTheBackend() {
        Call commit = add("likes").commit();

        commit.reportConflict(List.of("likes", "views"));
        commit.reportRetry(new IOException("reset by peer"));

        assertThat(listener.others()).containsExactly("conflict likes", "conflict views", "retry reset by peer");
    }

    @Test
    void read_isReportedWithItsStaleness() {
        Reading reading = new Reading(5, Instant.EPOCH, Duration.ofSeconds(3));
        backend.others().answer("read", List.of(Result.of(reading)));

        assertThat(counters.counter("likes").read(Duration.ofSeconds(10))).isEqualTo(reading);

        assertThat(listener.others()).containsExactly("read likes PT3S");
    }

    @Test
    void readOfMany_reportsTheSuccessfulOnes() {
        Reading reading = new Reading(5, Instant.EPOCH, Duration.ofSeconds(3));
        backend.others()
                .answer("read", List.of(Result.of(reading), Result.failed(new CorruptDataException("scrambled"))));

        assertThat(counters.readAll(List.of("likes", "views"), Duration.ofSeconds(10))
                        .failures())
                .hasSize(1);

        assertThat(listener.others()).containsExactly("read likes PT3S");
    }

    @Test
    void failedRead_isNotReported() {
        backend.others().answer("read", List.of(Result.failed(new CorruptDataException("scrambled"))));

        assertThat(counters.counter("likes").async().get()).isCompletedExceptionally();

        assertThat(listener.others()).isEmpty();
    }

    private Counters over(ScriptedBackend store) {
        return Counters.over(store, CountersOptions.builder().listener(listener).build());
    }

    /** Adds 1 to each counter; the first add is in flight. */
    private Sent<AddRequest, Void> add(String... names) {
        for (String name : names) {
            CompletableFuture<Void> unused = counters.counter(name).async().add(1);
        }
        return backend.adds().next();
    }

    private static Batch batch(ChangeTarget.Kind kind, String name, int requests, int merged, int failed, int waiting) {
        return new Batch(kind, name, requests, merged, failed, waiting, Duration.ZERO);
    }
}
