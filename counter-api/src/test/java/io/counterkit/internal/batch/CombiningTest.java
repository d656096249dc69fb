package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.AsyncCounter;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which adds are combined. */
class CombiningTest {
    private static final IdempotencyToken FIRST = IdempotencyToken.of("order-1");
    private static final IdempotencyToken SECOND = IdempotencyToken.of("order-2");

    private final ScriptedBackend backend = ScriptedBackend.of(BatchLimits.ofWeight(10));
    private final Counters counters = Counters.over(backend);
    private final AsyncCounter likes = counters.counter("likes").async();
    private final AsyncCounter views = counters.counter("views").async();

    @Test
    void idleRequest_isSentAtOnceAndAlone() {
        CompletableFuture<Void> add = likes.add(3);

        Sent<AddRequest, Void> sent = backend.adds().next();
        assertThat(sent.requests()).containsExactly(new AddRequest("likes", 3, null));
        assertThat(add).isNotDone();

        sent.succeed();
        assertThat(add).isCompleted();
        backend.adds().assertNothingMore();
    }

    @Test
    void requestsDuringABatch_formOneNextBatch() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> waiting = List.of(likes.add(2), views.add(3, FIRST), views.add(4));
        backend.adds().assertNothingMore();

        first.succeed();

        Sent<AddRequest, Void> second = backend.adds().next();
        assertThat(second.requests())
                .containsExactly(
                        new AddRequest("likes", 2, null),
                        new AddRequest("views", 3, FIRST),
                        new AddRequest("views", 4, null));
        assertThat(second.commit().token()).isNotEqualTo(first.commit().token());
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        second.succeed();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
        backend.adds().assertNothingMore();
    }

    @Test
    void addsWithoutTokens_areMergedPerCounter() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> waiting = IntStream.rangeClosed(1, 100)
                .mapToObj(delta -> likes.add(delta % 2 == 0 ? delta : -3L * delta))
                .toList();

        first.succeed();

        Sent<AddRequest, Void> merged = backend.adds().next();
        assertThat(merged.requests()).containsExactly(new AddRequest("likes", 2550 - 3 * 2500, null));
        merged.succeed();
        assertThat(waiting).allMatch(CompletableFuture::isDone);
    }

    @Test
    void addsWithCallersTokens_areNotMerged() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> unused =
                List.of(likes.add(2, FIRST), likes.add(3), likes.add(4, SECOND), likes.add(5));

        first.succeed();

        assertThat(backend.adds().next().requests())
                .containsExactly(
                        new AddRequest("likes", 2, FIRST),
                        new AddRequest("likes", 8, null),
                        new AddRequest("likes", 4, SECOND));
    }

    @Test
    void sumThatJustFitsIsMerged() {
        assertThat(batchesOf(Limits.MAX_DELTA - 1, 1, -1, 1)).containsExactly(List.of(Limits.MAX_DELTA));
        assertThat(batchesOf(-Limits.MAX_DELTA, Limits.MAX_DELTA)).containsExactly(List.of(0L));
    }

    @Test
    void sumBeyondTheBound_startsANewCommit() {
        assertThat(batchesOf(Limits.MAX_DELTA, 1, 2)).containsExactly(List.of(Limits.MAX_DELTA), List.of(3L));
        assertThat(batchesOf(-Limits.MAX_DELTA, -1)).containsExactly(List.of(-Limits.MAX_DELTA), List.of(-1L));
        assertThat(batchesOf(Limits.MAX_DELTA, Limits.MAX_DELTA, Limits.MAX_DELTA))
                .containsExactly(List.of(Limits.MAX_DELTA), List.of(Limits.MAX_DELTA), List.of(Limits.MAX_DELTA));
    }

    @Test
    void batch_weighsAtMostTheLimit() {
        backend.adds().weight(request -> request.name().length());
        Sent<AddRequest, Void> first = occupy();
        for (String name : List.of("four", "sixsix", "x", "ninenines", "y", "z")) {
            CompletableFuture<Void> unused = counters.counter(name).async().add(1);
        }

        first.succeed();

        assertThat(namesOfRemainingBatches())
                .containsExactly(List.of("four", "sixsix"), List.of("x", "ninenines"), List.of("y", "z"));
    }

    @Test
    void mergedAdd_weighsNothing() {
        backend.adds().weight(request -> 10);
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> unused = List.of(likes.add(1), likes.add(1), likes.add(1));

        first.succeed();

        assertThat(backend.adds().next().requests()).containsExactly(new AddRequest("likes", 3, null));
    }

    @Test
    void sameToken_isNotTwiceInABatch() {
        Sent<AddRequest, Void> first = occupy();
        List<CompletableFuture<Void>> unused =
                List.of(likes.add(1, FIRST), views.add(1, SECOND), likes.add(1, FIRST), views.add(1));

        first.succeed();

        Sent<AddRequest, Void> second = backend.adds().next();
        assertThat(second.requests())
                .containsExactly(new AddRequest("likes", 1, FIRST), new AddRequest("views", 1, SECOND));
        second.succeed();
        assertThat(backend.adds().next().requests())
                .containsExactly(new AddRequest("likes", 1, FIRST), new AddRequest("views", 1, null));
    }

    @Test
    void orderIsFirstInFirstOut() {
        backend.adds().weight(request -> 4);
        Sent<AddRequest, Void> first = occupy();
        for (int i = 0; i < 7; i++) {
            CompletableFuture<Void> unused = counters.counter("c" + i).async().add(1);
        }

        first.succeed();

        assertThat(namesOfRemainingBatches())
                .containsExactly(List.of("c0", "c1"), List.of("c2", "c3"), List.of("c4", "c5"), List.of("c6"));
    }

    @Test
    void failedBatch_doesNotDelayTheNext() {
        Sent<AddRequest, Void> first = occupy();
        CompletableFuture<Void> waiting = likes.add(2);

        first.fail(new IllegalStateException("the line is dead"));

        backend.adds().next().succeed();
        assertThat(Replies.valueOf(waiting)).isNull();
    }

    @Test
    void failureToWeigh_isNotAppliedAndDelaysNothing() {
        Sent<AddRequest, Void> first = occupy();
        backend.adds().weight(request -> {
            if (request.name().equals("likes")) {
                throw new NoClassDefFoundError("scales of the store");
            }
            return 1;
        });
        CompletableFuture<?> unweighed = likes.add(1).exceptionally(failure -> {
            assertThat(failure).isExactlyInstanceOf(NotAppliedException.class).hasMessageContaining("add 1 to 'likes'");
            Caller.running(() -> views.add(2).isDone()).value(); // blocks while the queue is locked
            return null;
        });
        CompletableFuture<Void> next = views.add(1);

        first.succeed();

        backend.adds().next().succeed();
        assertThat(next).isCompleted();
        assertThat(Replies.valueOf(unweighed)).isNull();
    }

    @Test
    void limits_areReadOnce() {
        CompletableFuture<Void> unused = likes.add(1);

        assertThat(backend.adds().limitsAsked()).isEqualTo(1);
        assertThat(backend.appends().limitsAsked()).isEqualTo(1);
    }

    /** Sends a batch, so that later requests wait. */
    private Sent<AddRequest, Void> occupy() {
        CompletableFuture<Void> unused = counters.counter("first").async().add(1);
        return backend.adds().next();
    }

    /** Returns the deltas of the batches that adds to one counter form while they wait in a new process. */
    private static List<List<Long>> batchesOf(long... deltas) {
        CombiningTest process = new CombiningTest();
        Sent<AddRequest, Void> first = process.occupy();
        for (long delta : deltas) {
            CompletableFuture<Void> unused = process.likes.add(delta);
        }
        first.succeed();
        return process.backend.adds().succeedAll().stream()
                .map(batch -> batch.requests().stream().map(AddRequest::delta).toList())
                .toList();
    }

    private List<List<String>> namesOfRemainingBatches() {
        return backend.adds().succeedAll().stream()
                .map(batch -> batch.requests().stream().map(AddRequest::name).toList())
                .toList();
    }
}
