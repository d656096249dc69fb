package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.AsyncCounter;
import io.counterkit.AsyncSequence;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how many batches are in flight at once, and which may overlap. */
class InFlightTest {
    @Test
    void batches_overlapUpToTheLimit() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10).withInFlight(3));
        AsyncCounter likes = Counters.over(backend).counter("likes").async();

        List<Sent<AddRequest, Void>> sent = new ArrayList<>();
        for (int delta = 1; delta <= 3; delta++) {
            addEach(likes, delta);
            sent.add(backend.adds().next());
        }
        assertThat(sent).extracting(each -> sumOf(each)).containsExactly(1L, 2L, 3L);
        addEach(likes, 4, 5);
        assertNothingMoreAfterThePause(backend);

        sent.get(1).succeed();
        assertThat(sumOf(backend.adds().next())).isEqualTo(4 + 5);
        addEach(likes, 6, 7);
        assertNothingMoreAfterThePause(backend);

        sent.get(2).fail(new IllegalStateException("gone"));
        assertThat(sumOf(backend.adds().next())).isEqualTo(6 + 7);
        backend.adds().assertNothingMore();
    }

    @Test
    void freePlace_isFilledByOneBatchOfAllWaitingRequests() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(1).withInFlight(2));
        Counters counters = Counters.over(backend);
        for (String name : List.of("a", "b", "c", "d", "e")) {
            addEach(counters.counter(name).async(), 1);
        }
        Sent<AddRequest, Void> first = backend.adds().next();
        Sent<AddRequest, Void> second = backend.adds().next();
        assertNothingMoreAfterThePause(backend);

        first.succeed();
        second.succeed();

        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("c", 1, null));
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("d", 1, null));
        backend.adds().assertNothingMore();
    }

    @Test
    void disjointBatches_letOneCounterWait_andOthersPass() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10).withDisjointInFlight(3));
        Counters counters = Counters.over(backend);
        AsyncCounter likes = counters.counter("likes").async();
        addEach(likes, 1, 2, 3);
        addEach(counters.counter("views").async(), 10);
        addEach(likes, 4);
        Sent<AddRequest, Void> ofLikes = backend.adds().next();
        Sent<AddRequest, Void> ofViews = backend.adds().next();
        assertThat(ofLikes.requests()).containsExactly(new AddRequest("likes", 1, null));
        assertThat(ofViews.requests()).containsExactly(new AddRequest("views", 10, null));
        backend.adds().assertNothingMore();

        addEach(counters.counter("views").async(), 11);
        ofViews.succeed();
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("views", 11, null));
        backend.adds().assertNothingMore();

        ofLikes.fail(new IllegalStateException("gone"));
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 2 + 3 + 4, null));
        backend.adds().assertNothingMore();
    }

    /** Though more batches could be in flight. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void batches_startSoFarApartThatRequestsShareThem(boolean disjoint) {
        int counted = 2_000;
        BatchLimits limits = BatchLimits.ofWeight(counted);
        ScriptedBackend backend =
                ScriptedBackend.of(disjoint ? limits.withDisjointInFlight(counted) : limits.withInFlight(counted));
        Counters counters = Counters.over(backend);
        List<CompletableFuture<Void>> replies = new ArrayList<>();
        for (int i = 0; i < counted; i++) {
            replies.add(counters.counter("c" + i).async().add(1));
        }
        assertThat(backend.adds().succeedUntilDone(replies)).hasSizeLessThan(counted / 2);
    }

    /** With a pause before each, they would take longer than the test waits. */
    @Test
    void fullBatches_startWithoutAPause() {
        int counted = 20_000;
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(1).withInFlight(counted));
        AtomicInteger sent = new AtomicInteger();
        backend.adds().script(batch -> {
            sent.incrementAndGet();
            return batch.reply();
        });
        Counters counters = Counters.over(
                backend, CountersOptions.builder().queueLimit(counted).build());
        for (int i = 0; i < counted; i++) {
            CompletableFuture<Void> unused = counters.counter("c" + i).async().add(1);
        }
        await().atMost(Replies.PATIENCE).until(() -> sent.get() == counted);
    }

    @Test
    void disjointBatches_ofTokens_keepTheirOrder() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(2).withDisjointInFlight(2));
        Counters counters = Counters.over(backend);
        List<CompletableFuture<Void>> replies = new ArrayList<>();
        for (int delta = 1; delta <= 6; delta++) {
            replies.add(counters.counter("likes").async().add(delta, IdempotencyToken.of("order-" + delta)));
        }
        replies.add(counters.counter("views").async().add(1));
        assertThat(backend.adds().succeedUntilDone(replies))
                .flatExtracting(Sent::requests)
                .filteredOn(request -> request.name().equals("likes"))
                .extracting(AddRequest::delta)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        backend.adds().assertNothingMore();
        assertThat(replies).allSatisfy(reply -> assertThat(reply).isCompleted());
    }

    @Test
    void requestThatWaitsForItsCounter_isGivenUpAtItsDeadline() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10).withDisjointInFlight(3));
        Counters counters = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofSeconds(1)).build());
        AsyncCounter likes = counters.counter("likes").async();
        addEach(likes, 1);
        Sent<AddRequest, Void> first = backend.adds().next();
        CompletableFuture<Void> waiting = likes.add(2);
        assertThat(waiting)
                .failsWithin(Replies.PATIENCE)
                .withThrowableThat()
                .withCauseExactlyInstanceOf(NotAppliedException.class);
        first.succeed();
        backend.adds().assertNothingMore();
        addEach(likes, 3);
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 3, null));
    }

    @Test
    void onePerName_batchesHoldOneCounterAndDifferentCountersOverlap() {
        ScriptedBackend backend =
                ScriptedBackend.of(BatchLimits.ofWeight(10).withInFlight(5).withOnePerName());
        Counters counters = Counters.over(backend);
        AsyncCounter likes = counters.counter("likes").async();
        AsyncCounter views = counters.counter("views").async();

        addEach(likes, 1);
        addEach(views, 2);
        Sent<AddRequest, Void> ofLikes = backend.adds().next();
        Sent<AddRequest, Void> ofViews = backend.adds().next();
        addEach(views, 3);
        addEach(likes, 4);
        addEach(views, 5);
        backend.adds().assertNothingMore();

        ofViews.succeed();
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("views", 8, null));
        backend.adds().assertNothingMore();
        ofLikes.succeed();
        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 4, null));
        backend.adds().assertNothingMore();
    }

    @Test
    void onePerName_batchHasAtMostOneRequestWithoutToken() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10).withOnePerName());
        AsyncCounter likes = Counters.over(backend).counter("likes").async();
        IdempotencyToken token = IdempotencyToken.of("order-1");
        addEach(likes, 1, 2);
        CompletableFuture<Void> unused = likes.add(3, token);
        addEach(likes, 4);

        backend.adds().next().succeed();

        assertThat(backend.adds().next().requests())
                .containsExactly(new AddRequest("likes", 6, null), new AddRequest("likes", 3, token));
    }

    @Test
    void batchesOfOneSequence_doNotOverlapAndKeepTheirOrder() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(2).withInFlight(5));
        AsyncSequence invoices = Counters.over(backend).sequence("invoices").async();
        List<CompletableFuture<Entry>> entries = new ArrayList<>();
        for (long i = 1; i <= 6; i++) {
            entries.add(invoices.append(Map.of("i", i)));
        }

        List<Object> order = new ArrayList<>();
        for (int size : new int[] {1, 2, 2, 1}) {
            Sent<AppendRequest, Entry> sent = backend.appends().next();
            backend.appends().assertNothingMore();
            assertThat(sent.sequence()).isEqualTo("invoices");
            assertThat(sent.requests()).hasSize(size);
            sent.requests().forEach(request -> order.add(request.fields().get("i")));
            sent.succeed();
        }

        assertThat(order).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(entries)
                .extracting(entry -> Replies.valueOf(entry).number())
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(entries)
                .extracting(entry -> Replies.valueOf(entry).fields().get("i"))
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void batchesOfDifferentSequences_overlap() {
        ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(2));
        Counters counters = Counters.over(backend);

        CompletableFuture<Entry> invoice = counters.sequence("invoices").async().append(Map.of());
        CompletableFuture<Entry> order = counters.sequence("orders").async().append(Map.of());

        assertThat(List.of(backend.appends().next(), backend.appends().next()))
                .extracting(Sent::sequence)
                .containsExactly("invoices", "orders");
        assertThat(List.of(invoice, order)).noneMatch(CompletableFuture::isDone);
    }

    private static void addEach(AsyncCounter counter, long... deltas) {
        LongStream.of(deltas).forEach(delta -> counter.add(delta).isDone());
    }

    /** Waits longer than the pause between two batches. */
    private static void assertNothingMoreAfterThePause(ScriptedBackend backend) {
        await().during(Duration.ofMillis(20)).untilAsserted(backend.adds()::assertNothingMore);
    }

    private static long sumOf(Sent<AddRequest, Void> sent) {
        return sent.requests().stream().mapToLong(AddRequest::delta).sum();
    }
}
