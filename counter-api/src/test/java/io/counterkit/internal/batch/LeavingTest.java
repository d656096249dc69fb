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

/** Callers that leave while others wait for them to lead. */
class LeavingTest {
    private final ScriptedBackend backend =
            ScriptedBackend.of(BatchLimits.ofWeight(1).withCallerRuns());
    private final Counters counters = Counters.over(backend);
    private final PendingRequests outstanding = Waiting.atMost(10, Duration.ofHours(1));
    private final PendingAdd third = new PendingAdd(new AddRequest("c", 1, null), outstanding);
    private final RequestQueue<PendingAdd, Void> lane = new CallerRunsQueue<>(
            nanos -> new AddBatch(
                    backend,
                    backend.counters(),
                    1,
                    new Commit(Duration.ofNanos(nanos), new Random(1), CountersListener.disabled())),
            outstanding,
            () -> {});

    @BeforeEach
    void blockUntilTold() {
        backend.adds().script(Sent::blocking);
    }

    @Test
    void interruptedCallerIsPassedOverWhenTheLeadIsHandedOn() {
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
    void callerWhoseDeadlinePassesWhileItWaitsIsNeverSentNorLeads() {
        Counters hurried = Counters.over(
                backend,
                CountersOptions.builder().deadline(Duration.ofMillis(250)).build());
        Caller<?> leader = Caller.running(() -> hurried.counter("a").add(1));
        Sent<AddRequest, Void> first = backend.adds().next();
        Caller<?> leaving = Caller.running(() -> hurried.counter("b").add(1));
        assertThat(leaving.failure()).isExactlyInstanceOf(NotAppliedException.class);

        first.succeed();

        await().until(leader::isDone);
        backend.adds().assertNothingMore();
    }

    @Test
    void leaderThatIsInterruptedInTheBackendHandsOverAndKeepsItsFlag() {
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
    void callerThatLeavesWithTheLeadInItsHandsPassesItOn() {
        PendingAdd leaving = leavesWithTheLead();
        Caller<?> staying = Caller.running(() -> awaitAndLead(third)).parked();

        assertThatThrownBy(() -> awaitAndLead(leaving)).isInstanceOf(NotAppliedException.class);

        assertThat(staying.value()).isEqualTo("ran");
        assertThat(backend.adds().next().thread()).isSameAs(Thread.currentThread()); // of the first
        assertThat(backend.adds().next().thread()).isSameAs(staying.thread());
        assertThat(lane.isIdle()).isTrue();
    }

    @Test
    void callerThatLeavesWithTheLeadInItsHandsCarriesOutWhatNobodyElseCan() {
        PendingAdd leaving = leavesWithTheLead();

        assertThatThrownBy(() -> awaitAndLead(leaving)).isInstanceOf(NotAppliedException.class);

        assertThat(third.reply()).isCompleted();
        assertThat(backend.adds().succeedAll()).hasSize(2);
        assertThat(lane.isIdle()).isTrue();
    }

    @Test
    void callerThatIsInterruptedWithTheLeadInItsHandsLeads() {
        backend.adds().script(Sent::succeeding);
        PendingAdd interrupted = isHandedTheLead();

        Thread.currentThread().interrupt();
        awaitAndLead(interrupted);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(third.reply()).isCompleted();
        assertThat(lane.isIdle()).isTrue();
    }

    /** The deadline of one that was just given the lead passes before its thread, this one, wakes up. */
    private PendingAdd leavesWithTheLead() {
        PendingAdd leaving = isHandedTheLead();
        leaving.giveUp("the deadline passed", null);
        return leaving;
    }

    private PendingAdd isHandedTheLead() {
        backend.adds().script(Sent::succeeding);
        PendingAdd first = new PendingAdd(new AddRequest("a", 1, null), outstanding);
        PendingAdd second = new PendingAdd(new AddRequest("b", 1, null), outstanding);
        second.block();
        lane.enqueue(first);
        lane.enqueue(second);
        lane.enqueue(third);
        lane.run(first);
        assertThat(first.reply()).isCompleted();
        assertThat(List.of(second, third)).noneMatch(PendingRequest::isDone);
        return second;
    }

    private void awaitAndLead(PendingAdd waiter) {
        waiter.await();
    }

    private Sent<AddRequest, Void> lead() {
        Caller<?> unused = adding("a");
        return backend.adds().next();
    }

    private Caller<?> adding(String name) {
        return Caller.running(() -> counters.counter(name).add(1));
    }
}
