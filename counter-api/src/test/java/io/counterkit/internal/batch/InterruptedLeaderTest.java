package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.Recorder;
import io.counterkit.fixture.Replies;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that an interrupt affects one caller only, if batches run on callers' threads and store calls can be
 * interrupted.
 */
class InterruptedLeaderTest {
    private static final IdempotencyToken TOKEN = IdempotencyToken.of("order-1");

    private final ScriptedBackend backend =
            ScriptedBackend.of(BatchLimits.ofWeight(10).withCallerRuns());
    private final Recorder recorder = new Recorder();
    private final Counters counters =
            Counters.over(backend, CountersOptions.builder().listener(recorder).build());

    @BeforeEach
    void blockInterruptibly() {
        backend.adds().script(InterruptedLeaderTest::interruptible);
        backend.appends().script(InterruptedLeaderTest::interruptible);
    }

    /** Blocks as a client does that fails when it is interrupted and restores the flag. */
    private static <Q, R> CompletableFuture<List<Result<R>>> interruptible(Sent<Q, R> sent) {
        try {
            sent.reply().handle((results, failure) -> "answered").get(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            return sent.reply();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new IllegalStateException("interrupted", e));
        } catch (ExecutionException | TimeoutException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Test
    void othersThatWereNotApplied_areSentByTheNextLeader() {
        Shared shared = new Shared("c", "c", "d");

        shared.leader.interrupt();

        assertUnknown(shared.leader);
        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.thread()).isSameAs(shared.others.get(0).thread());
        assertThat(again.requests()).containsExactly(new AddRequest("c", 2, null), new AddRequest("d", 1, null));
        assertThat(again.commit().token()).isNotEqualTo(shared.sent.commit().token());
        assertThat(backend.others().asked())
                .containsExactly("resolve " + shared.sent.commit().token() + " COUNTER leader -1");
        again.succeed();
        shared.others.forEach(other -> assertThat(other.value()).isEqualTo("ran"));
        assertThat(shared.others).noneMatch(Caller::interruptedAtEnd);
    }

    @Test
    void othersThatWereApplied_areReportedAndNotSentAgain() {
        backend.others().answer("resolve", new Resolution.Added("leader", 1));
        Shared shared = new Shared("c", "d");

        shared.leader.interrupt();

        assertUnknown(shared.leader);
        shared.others.forEach(other -> assertThat(other.value()).isEqualTo("ran"));
        backend.adds().assertNothingMore();
    }

    @Test
    void othersWithCallersTokens_areSentAgain() {
        Caller<?> first = adding("first");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> leader = Caller.running(() -> counters.counter("b").add(1, IdempotencyToken.of("order-2")))
                .parked();
        Caller<?> other =
                Caller.running(() -> counters.counter("c").add(1, TOKEN)).parked();
        ofFirst.succeed();
        backend.adds().next();

        leader.interrupt();

        assertThat(Replies.tokenOf(leader.failure())).isEqualTo(IdempotencyToken.of("order-2"));
        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.requests()).containsExactly(new AddRequest("c", 1, TOKEN));
        again.succeed();
        assertThat(other.value()).isEqualTo("ran");
        assertThat(first.value()).isEqualTo("ran");
        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void addWithATokenWhoseNextAttemptIsRefused_isUnknown() {
        Caller<?> first = adding("first");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        Caller<?> leader = adding("leader").parked();
        Caller<?> other =
                Caller.running(() -> counters.counter("c").add(1, TOKEN)).parked();
        ofFirst.succeed();
        backend.adds().next();

        leader.interrupt();

        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.requests()).containsExactly(new AddRequest("c", 1, TOKEN));
        again.reply().complete(List.of(Result.failed(new ContentionException("too many writers"))));
        assertThat(Replies.tokenOf(other.failure()))
                .as("the first attempt may land")
                .isEqualTo(TOKEN);
        assertThat(other.failure()).hasMessageContaining("too many writers");
        assertThat(first.value()).isEqualTo("ran");
        assertUnknown(leader);
    }

    @Test
    void batchThatIsUnknownInPart_sendsNothingTwice() {
        backend.adds().script(sent -> {
            try {
                sent.reply().get(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError(e);
            }
            return sent.reply().isDone()
                    ? sent.reply()
                    : CompletableFuture.completedFuture(List.of(
                            Result.failed(new NotAppliedException("interrupted")),
                            Result.failed(new OutcomeUnknownException("interrupted", TOKEN, null)),
                            Result.retry()));
        });
        Shared shared = new Shared("c", "d");

        shared.leader.interrupt();

        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.requests())
                .containsExactlyInAnyOrder(new AddRequest("c", 1, null), new AddRequest("d", 1, null));
        again.succeed();
        shared.others.forEach(other -> assertThat(other.value()).isEqualTo("ran"));
        backend.adds().assertNothingMore();
    }

    @Test
    void appendsThatWereApplied_getTheirOwnEntries() {
        Caller<Entry> first = appending(0);
        Sent<AppendRequest, Entry> ofFirst = backend.appends().next();
        Caller<Entry> leader = appending(1).parked();
        Caller<Entry> other = appending(2).parked();
        CompletableFuture<Entry> async = counters.sequence("invoices").async().append(Map.of("i", 3L));
        AtomicInteger asked = new AtomicInteger(1);
        backend.others()
                .on(
                        "resolve",
                        () -> CompletableFuture.completedFuture(
                                new Resolution.Appended("invoices", asked.incrementAndGet())));
        backend.others()
                .on(
                        "entries",
                        () -> CompletableFuture.completedFuture(List.of(ScriptedBackend.entry(
                                asked.get(), new AppendRequest(Change.ADDED, null, Map.of(), null)))));
        ofFirst.succeed();
        Sent<AppendRequest, Entry> shared = backend.appends().next();
        assertThat(shared.requests()).hasSize(3);

        leader.interrupt();

        assertThat(leader.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(other.value().number()).isEqualTo(3);
        assertThat(Replies.valueOf(async).number()).isEqualTo(4);
        assertThat(first.value().number()).isEqualTo(1);
        backend.appends().assertNothingMore();
    }

    @Test
    void asynchronousRequests_areSentByTheInterruptedThread() {
        Caller<?> leader = adding("leader");
        Sent<AddRequest, Void> own = backend.adds().next();
        CompletableFuture<Void> async = counters.counter("async").async().add(1);
        own.succeed();
        backend.adds().next();

        leader.interrupt();

        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.thread()).isSameAs(leader.thread());
        again.succeed();
        assertThat(Replies.valueOf(async)).isNull();
        assertThat(leader.value()).isEqualTo("ran");
        assertThat(leader.interruptedAtEnd()).isTrue();
    }

    @Test
    void leaderInterruptedBeforeItCarriesOthers_defersTheInterrupt() {
        Caller<?> first = adding("first");
        Sent<AddRequest, Void> ofFirst = backend.adds().next();
        CompletableFuture<Void> async = counters.counter("async").async().add(1);
        backend.adds().script(sent -> {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            return sent.succeeding();
        });
        ofFirst.reply()
                .whenComplete((results, failure) -> first.thread().interrupt())
                .isDone();

        ofFirst.succeed();

        assertThat(Replies.valueOf(async)).isNull();
        await().until(first::isDone);
        assertThat(first.interruptedAtEnd()).isTrue();
    }

    @Test
    void interruptedLoneCaller_returnsAtOnce() {
        Caller<?> alone = adding("alone");
        backend.adds().next();

        alone.interrupt();

        assertUnknown(alone);
        backend.adds().script(Sent::succeeding);
        counters.counter("next").add(1);
    }

    @Test
    void severalLeaders_areInterruptedOneAfterTheOther() {
        Shared shared = new Shared("c", "d", "e");
        shared.leader.interrupt();
        Sent<AddRequest, Void> again = backend.adds().next();
        shared.others.get(0).interrupt();
        Sent<AddRequest, Void> oncemore = backend.adds().next();
        oncemore.succeed();

        assertThat(again.requests()).hasSize(3);
        assertThat(oncemore.requests()).containsExactly(new AddRequest("d", 1, null), new AddRequest("e", 1, null));
        assertUnknown(shared.leader);
        assertUnknown(shared.others.get(0));
        assertThat(shared.others.get(1).value()).isEqualTo("ran");
        assertThat(shared.others.get(2).value()).isEqualTo("ran");
    }

    @Test
    void refusals_areReportedAndTheRestIsRetried() {
        Seal seal = new Seal("elsewhere", 0, 0);
        backend.adds().script(sent -> {
            try {
                sent.reply().get(Replies.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError(e);
            }
            return sent.requests().size() == 1
                    ? sent.reply()
                    : CompletableFuture.completedFuture(List.of(
                            Result.failed(new NotAppliedException("interrupted")),
                            Result.failed(new ContentionException("interrupted")),
                            Result.failed(new SealedException("d", seal))));
        });
        Shared shared = new Shared("c", "d");

        shared.leader.interrupt();

        assertThat(shared.leader.failure()).isExactlyInstanceOf(NotAppliedException.class);
        assertThat(shared.others.get(1).failure()).isInstanceOf(SealedException.class);
        Sent<AddRequest, Void> again = backend.adds().next();
        assertThat(again.requests()).containsExactly(new AddRequest("c", 1, null));
        again.succeed();
        assertThat(shared.others.get(0).value()).isEqualTo("ran");
        assertThat(backend.others().asked()).isEmpty();
    }

    @Test
    void failureToResolve_leavesOthersUnknownWithTheirTokens() {
        backend.others().on("resolve", () -> CompletableFuture.failedFuture(new NotAppliedException("unreachable")));
        Shared shared = new Shared("c");

        shared.leader.interrupt();

        assertUnknown(shared.leader);
        Throwable failure = shared.others.get(0).failure();
        assertThat(GeneratedToken.parse(Replies.tokenOf(failure)))
                .isEqualTo(GeneratedToken.add(shared.sent.commit(), 1, "c", 1));
        assertThat(failure).hasMessageContaining("unreachable");
        await().untilAsserted(() -> assertThat(recorder.batches())
                .as("each failed once")
                .extracting(CountersListener.Batch::requests, CountersListener.Batch::failed)
                .containsExactly(tuple(1, 0), tuple(2, 2)));
    }

    @Test
    void requestAtItsDeadlineInAnUndecidedBatch_isUnknown() {
        Counters hurried = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofSeconds(3)).build());
        Caller<?> leader = Caller.running(() -> hurried.counter("leader").add(1));
        Sent<AddRequest, Void> own = backend.adds().next();
        CompletableFuture<Void> async = hurried.counter("async").async().add(1);
        backend.others().on("resolve", CompletableFuture::new);
        own.succeed();
        Sent<AddRequest, Void> carried = backend.adds().next();

        leader.interrupt();

        assertThat(GeneratedToken.parse(Replies.tokenOf(async)))
                .isEqualTo(GeneratedToken.add(carried.commit(), 0, "async", 1));
    }

    /** A batch in flight, of a leader that can be interrupted and others that cannot. */
    private final class Shared {
        final Caller<?> leader;
        final List<? extends Caller<?>> others;
        final Sent<AddRequest, Void> sent;

        Shared(String... names) {
            Caller<?> first = adding("first");
            Sent<AddRequest, Void> ofFirst = backend.adds().next();
            leader = adding("leader").parked();
            others = List.of(names).stream().map(name -> adding(name).parked()).toList();
            ofFirst.succeed();
            assertThat(first.value()).isEqualTo("ran");
            sent = backend.adds().next();
            assertThat(sent.thread()).isSameAs(leader.thread());
        }
    }

    private static void assertUnknown(Caller<?> interrupted) {
        assertThat(interrupted.failure()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(interrupted.interruptedAtEnd()).isTrue();
    }

    private Caller<?> adding(String name) {
        return Caller.running(() -> counters.counter(name).add(1));
    }

    private Caller<Entry> appending(long i) {
        return Caller.calling(() -> counters.sequence("invoices").append(Map.of("i", i)));
    }
}
