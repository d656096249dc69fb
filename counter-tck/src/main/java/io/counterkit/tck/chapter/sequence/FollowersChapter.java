package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.Follower;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.FaultPlan.InjectedFaults;
import io.counterkit.tck.internal.model.SimilarTexts;
import io.counterkit.tck.internal.view.ClosingListener;
import io.counterkit.tck.internal.view.Reports;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 15, continued: several followers of one process, and what wakes them. */
public abstract class FollowersChapter extends Chapter {
    /**
     * So long that a follower whose reports are lost reads the tail again only after a test has given up. A follower
     * without reports reads it once in this time.
     */
    private static final Duration CADENCE = Duration.ofMillis(300);

    /** More than a process usually has listeners. */
    private static final int CLOSED = 40;

    private static final int FEW_CLOSED = 8;

    /** More reports than a listener usually has in its queue. */
    private static final int MANY = 150;

    private static final int FEW = 30;

    private static final int OUTAGE = 4;

    @Test
    @Rule(
            value = "15.10",
            lookAt = "listeners of one sequence that replace or close each other; a listener that ends with an outage,"
                    + " after a number of reports, or with another process, and still states that it is live;"
                    + " reports of one process only, of some appends only, too early, or not at all if a reply is"
                    + " lost; long names")
    final void spec1510_eachFollowerIsSoonWoken() {
        Sequence sequence = sequence();
        Sequence other = sequence();
        Counters following = connect();
        sequence.next();
        int closedBefore = size(CLOSED, FEW_CLOSED);
        for (int i = 0; i < closedBefore; i++) {
            Received once = new Received(CADENCE);
            Follower follower = once.follow(following, sequence, 1);
            once.await(1);
            follower.close();
        }
        Received first = new Received(CADENCE);
        Received second = new Received(CADENCE);
        Received ofOther = new Received(CADENCE);
        Follower closed = first.follow(following, sequence, 1);
        second.follow(following, sequence, 1);
        ofOther.follow(following, other, 1);
        other.next();
        for (Received each : List.of(first, second, ofOther)) {
            each.await(1);
        }
        elsewhere(sequence).next();
        first.await(2);
        second.await(2);
        closed.close();
        int many = size(MANY, FEW);
        Received.append(elsewhere(sequence), many);
        second.await(many + 2L);
        elsewhere(sequence).next();
        second.await(many + 3L);
        outage(sequence);
        long last = sequence.last();
        second.await(last);
        elsewhere(sequence).next();
        second.await(last + 1);
        closeAProcess(sequence);
        other.next();
        ofOther.await(2);
        assertListenersReportEveryAppend();
        assertWokenByEveryAppend(following);
    }

    /** Closes a process that has followed the sequence. */
    private void closeAProcess(Sequence sequence) {
        Counters process = connect();
        Received received = new Received(CADENCE);
        received.follow(process, sequence, 1);
        received.await(1);
        process.close();
    }

    /** Checks that a follower of a sequence with a long and unusual name is woken by appends of every kind. */
    private void assertWokenByEveryAppend(Counters following) {
        Sequence sequence = here().sequence(SimilarTexts.longUnusual(name()));
        Received received = new Received(CADENCE);
        received.follow(following, sequence, 1);
        long number = 0;
        for (Change change : List.of(Change.ADDED, Change.UPDATED, Change.REMOVED)) {
            elsewhere(sequence).append(change, "s", Map.of());
            received.await(++number);
        }
        elsewhere(sequence).append(Map.of(), IdempotencyToken.random());
        received.await(++number);
    }

    /** Checks the reports that wake followers, if the backend has any: of each kind of append, also after an import. */
    private void assertListenersReportEveryAppend() {
        String name = name();
        CounterBackend listening = backend();
        Reports first = listen(listening, name);
        Reports second = listen(listening, name);
        Reports third = listen(backend(), name);
        if (first == null || second == null || third == null) {
            return;
        }
        List<Reports> open = List.of(first);
        List<Reports> all = List.of(first, second, third);
        all.forEach(Reports::awaitLive);
        if (declares(Capability.IMPORT)) {
            ImportedState base = new ImportedState("elsewhere", true, 1, 1);
            backend()
                    .migration()
                    .importBase(Kind.SEQUENCE, name, base, commit())
                    .join();
        }
        Sequence elsewhere = there().sequence(name);
        Reports.checkReported(all, "a first append", elsewhere::next);
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
        Reports.checkReported(
                all,
                "an append by the process that listens",
                () -> Batches.append(listening.sequences(), name, List.of(request), this::commit));
        second.close();
        second.close();
        third.close();
        Reports.checkReported(
                open,
                "a batch of appends",
                () -> Batches.append(backend().sequences(), name, List.of(request, request), this::commit));
        AppendRequest refused = new AppendRequest(Change.UPDATED, "absent", Map.of(), null);
        Reports.checkReported(
                open,
                "a batch of appends, the first of which is refused",
                () -> Batches.append(backend().sequences(), name, List.of(refused, request), this::commit));
        Reports.checkReported(
                open,
                "a large append",
                () -> elsewhere.append(Map.of("bytes", new byte[Limits.MAX_FIELDS_BYTES - "bytes".length()])));
        Reports.checkReportedWithoutReply(
                open, "an append", () -> inject(StoreFault.LOSE_REPLY, 1), this::applyAndResolve, elsewhere::next);
        elsewhere.erase(elsewhere.last());
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> elsewhere.append(Change.REMOVED, "absent", Map.of()));
        Reports.checkReported(open, "an append after one that was refused", elsewhere::next);
        Received.append(elsewhere, FEW);
        Reports.checkReported(open, "an append soon after others", elsewhere::next);
        second.checkClosed();
        third.checkClosed();
        Reports.checkOutage(open, () -> inject(StoreFault.FAIL_BEFORE, 1));
        Reports.checkReported(open, "an append after an outage", elsewhere::next);
        first.close();
        Sequence sequence = sequence();
        ClosingListener closing =
                ClosingListener.start(changed -> listening.sequences().listen(sequence.name(), changed));
        Reports other = Objects.requireNonNull(listen(listening, sequence.name()));
        other.checkReportedWhileClosing(closing, elsewhere(sequence)::next);
        other.close();
        Reports empty = Objects.requireNonNull(listen(listening, SimilarTexts.longUnusual(name())));
        empty.awaitLive();
        Reports.checkReported(
                List.of(empty),
                "the first entry",
                () -> there().sequence(empty.name()).next());
        empty.close();
    }

    private @Nullable Reports listen(CounterBackend process, String name) {
        return Reports.ofSequence(process.sequences(), name, this::commit);
    }

    /** Makes the calls after the first one of an append fail, so that reads of the followers fail. */
    private void outage(Sequence sequence) {
        FaultPlan plan = new FaultPlan("outage", Collections.nCopies(OUTAGE, StoreFault.FAIL_BEFORE));
        try (InjectedFaults failing = inject(plan, 2)) {
            applyAndResolve(sequence::next);
            ConcurrentTasks.awaitBriefly(failing::isOver);
        }
    }
}
