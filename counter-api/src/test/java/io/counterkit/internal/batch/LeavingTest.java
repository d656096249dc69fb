package io.counterkit.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.NotAppliedException;
import io.counterkit.fixture.Caller;
import io.counterkit.fixture.ScriptedBackend;
import io.counterkit.fixture.Sent;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Commit;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests callers that leave while others wait for a leader. */
class LeavingTest {
    private final ScriptedBackend backend =
            ScriptedBackend.of(BatchLimits.ofWeight(1).withCallerRuns());
    private final Counters counters = Counters.over(backend);
    private final PendingRequests pending = Waiting.atMost(10, Duration.ofHours(1));
    private final PendingAdd third = new PendingAdd(new AddRequest("c", 1, null), pending);
    private final RequestQueue<PendingAdd, Void> queue = new CallerRunsQueue<>(
            nanos -> new AddBatch(
                    backend,
                    backend.counters(),
                    1,
                    new Commit(Duration.ofNanos(nanos), new Random(1), CountersListener.disabled())),
            pending,
            () -> {});

    @BeforeEach
    void blockUntilAnswered() {
        backend.adds().script(Sent::blocking);
    }

    @Test
    void interruptedCaller_doesNotGetTheLead() {
        Sent<AddRequest, Void> first = lead();
        Caller<?> leaving = adding("b").parked();
        Caller<?> staying = adding("c").parked();

        leaving.interrupt();
        assertThat(leaving.failure())
                .isExactlyInstanceOf(NotAppliedException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        first.succeed();

        Sent<AddRequest, Void> next = backend.adds().next();
        assertThat(next.thread()).isSameAs(staying.thread());
        assertThat(next.requests()).containsExactly(new AddRequest("c", 1, null));
        next.succeed();
        assertThat(staying.value()).isEqualTo("ran");
        backend.adds().assertNothingMore();
    }

    @Test
    void callerAtItsDeadline_isNotSentAndDoesNotLead() {
        Counters hurried = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofSeconds(1)).build());
        Caller<?> leader = Caller.running(() -> hurried.counter("a").add(1));
        Sent<AddRequest, Void> first = backend.adds().next();
        Caller<?> leaving = Caller.running(() -> hurried.counter("b").add(1));
        assertThat(leaving.failure()).isExactlyInstanceOf(NotAppliedException.class);

        first.succeed();

        await().until(leader::isDone);
        backend.adds().assertNothingMore();
    }

    @Test
    void leaderInterruptedInTheBackend_handsOverAndKeepsItsFlag() {
        Caller<?> leader = adding("a");
        Sent<AddRequest, Void> first = backend.adds().next();
        Caller<?> staying = adding("b").parked();

        leader.interrupt();
        first.succeed();

        assertThat(leader.value()).isEqualTo("ran");
        assertThat(leader.interruptedAtEnd()).isTrue();
        Sent<AddRequest, Void> next = backend.adds().next();
        assertThat(next.thread()).isSameAs(staying.thread());
        next.succeed();
        assertThat(staying.value()).isEqualTo("ran");
    }

    @Test
    void leavingCallerWithTheLead_handsItOver() {
        PendingAdd leaving = leavesWithTheLead();
        Caller<?> staying = Caller.running(() -> awaitAndLead(third)).parked();

        assertThatThrownBy(() -> awaitAndLead(leaving)).isInstanceOf(NotAppliedException.class);

        assertThat(staying.value()).isEqualTo("ran");
        assertThat(backend.adds().next().thread()).isSameAs(Thread.currentThread()); // the first one leads
        assertThat(backend.adds().next().thread()).isSameAs(staying.thread());
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void leavingCallerWithTheLead_sendsTheAsynchronousRequests() {
        PendingAdd leaving = leavesWithTheLead();

        assertThatThrownBy(() -> awaitAndLead(leaving)).isInstanceOf(NotAppliedException.class);

        assertThat(third.reply()).isCompleted();
        assertThat(backend.adds().succeedAll()).hasSize(2);
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void interruptedCallerWithTheLead_leads() {
        backend.adds().script(Sent::succeeding);
        PendingAdd interrupted = handOverTheLead();

        Thread.currentThread().interrupt();
        awaitAndLead(interrupted);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(third.reply()).isCompleted();
        assertThat(queue.isIdle()).isTrue();
    }

    /** Lets the deadline of a caller pass after it was handed the lead and before its thread, this one, wakes up. */
    private PendingAdd leavesWithTheLead() {
        PendingAdd leaving = handOverTheLead();
        leaving.giveUp("the deadline passed", null);
        return leaving;
    }

    private PendingAdd handOverTheLead() {
        backend.adds().script(Sent::succeeding);
        PendingAdd first = new PendingAdd(new AddRequest("a", 1, null), pending);
        PendingAdd second = new PendingAdd(new AddRequest("b", 1, null), pending);
        second.registerCaller();
        queue.enqueue(first);
        queue.enqueue(second);
        queue.enqueue(third);
        queue.run(first);
        assertThat(first.reply()).isCompleted();
        assertThat(List.of(second, third)).noneMatch(PendingRequest::isDone);
        return second;
    }

    private void awaitAndLead(PendingAdd request) {
        request.await();
    }

    private Sent<AddRequest, Void> lead() {
        Caller<?> unused = adding("a");
        return backend.adds().next();
    }

    private Caller<?> adding(String name) {
        return Caller.running(() -> counters.counter(name).add(1));
    }
}
