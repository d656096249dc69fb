package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NumberRange;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Chapter 10: sequences. */
public abstract class SequencesChapter extends Chapter {
    @Test
    @Rule(value = "10.1", lookAt = "how the next number is found")
    final void spec1001_numbersAreOneTwoThree() {
        Sequence sequence = sequence();
        for (long number = 1; number <= 30; number++) {
            Sequence either = number % 3 == 0 ? elsewhere(sequence) : sequence;
            appendNumber(either, number);
            assertLast(sequence, number);
            assertTailElsewhere(sequence, new Tail(number, number, null));
        }
    }

    @Test
    @Rule(
            value = "10.2",
            lookAt = "what an append does if its number is taken: it may skip only numbers whose entry exists;"
                    + " numbers that a process reserves")
    final void spec1002_concurrentNumbersHaveNoGapAndNoDuplicate() throws Exception {
        Sequence sequence = sequence();
        SequenceHistory history = new SequenceHistory();
        tasks().runAtOnce(6, thread -> {
            Sequence mine = thread % 2 == 0 ? sequence : elsewhere(sequence);
            for (int i = 0; i < 20; i++) {
                history.append(mine::next);
            }
        });
        history.check(sequence);
    }

    @Test
    @Rule(value = "10.3", lookAt = "the order of requests in one commit; an append that overtakes an earlier one")
    final void spec1003_appendsOfOneCallerKeepTheirOrder() throws Exception {
        Sequence sequence = sequence();
        checkOrder(sequence, send(sequence, 100), "");
        for (int call = 1; call <= 4; call++) {
            appendWhileACallIsHeld(call, tasks());
        }
    }

    /** Appends while one call is held. If calls run on the caller's thread, the held call also delays the sending. */
    private void appendWhileACallIsHeld(int call, ConcurrentTasks tasks) throws Exception {
        Sequence sequence = sequence();
        Future<List<CompletableFuture<Entry>>> sending;
        try (InjectedFault held = inject(StoreFault.HOLD, call)) {
            sending = tasks.start(() -> send(sequence, 8));
            ConcurrentTasks.awaitBriefly(() -> held.isHit() && sending.isDone());
        }
        checkOrder(sequence, ConcurrentTasks.result(sending), ", with call " + call + " to the store held for a while");
    }

    private static List<CompletableFuture<Entry>> send(Sequence sequence, long count) {
        List<CompletableFuture<Entry>> appends = new ArrayList<>();
        for (long i = 1; i <= count; i++) {
            appends.add(sequence.async().append(Map.of("place", i)));
        }
        return appends;
    }

    private void checkOrder(Sequence sequence, List<CompletableFuture<Entry>> appends, String when) {
        List<Long> numbers =
                appends.stream().map(append -> append.join().number()).toList();
        SequenceHistory.checkOneTo(
                appends.size(), numbers, "the numbers of the appends in the order of sending" + when);
        List<Long> places = SequenceHistory.all(elsewhere(sequence)).stream()
                .map(entry -> (Long) entry.fields().get("place"))
                .toList();
        SequenceHistory.checkOneTo(appends.size(), places, "the entries in the order of sending" + when);
    }

    @Test
    @Rule(value = "10.4", lookAt = "the bounds of a read, and how many entries it returns")
    final void spec1004_entriesAreReadByTheirNumbers() {
        Sequence sequence = sequence();
        for (long i = 1; i <= 7; i++) {
            sequence.append(Map.of("i", i));
        }
        Sequence other = elsewhere(sequence);
        assertThat(other.read(3, 5)).extracting(Entry::number).containsExactly(3L, 4L, 5L);
        assertThat(other.read(6, 1000)).extracting(Entry::number).containsExactly(6L, 7L);
        assertThat(other.read(8, 9)).isEmpty();
        assertThat(other.read(Long.MAX_VALUE - 999, Long.MAX_VALUE)).isEmpty();
        assertThat(other.read(Long.MAX_VALUE, Long.MAX_VALUE)).isEmpty();
        assertThat(entry(other, 2).fields()).as("the fields of the entry").isEqualTo(Map.of("i", 2L));
        assertThatIllegalArgumentException().isThrownBy(() -> other.read(0, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> other.read(5, 4));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> other.read(1, 1001))
                .withMessageContaining("1000");
        assertThat(other.partition(3))
                .containsExactly(new NumberRange(1, 3), new NumberRange(4, 5), new NumberRange(6, 7));
        assertThat(other.partition(100)).hasSize(7);
    }

    @Test
    @Rule(value = "10.5", lookAt = "the live count: it has to be updated in the commit of the append")
    final void spec1005_liveCountFollowsAddedUpdatedRemoved() {
        Sequence sequence = sequence();
        assertThat(sequence.append(Map.of()).liveCount()).as("the live count").isEqualTo(1);
        assertThat(sequence.append(Change.ADDED, "a", Map.of("v", 1L)).liveCount())
                .isEqualTo(2);
        assertThat(elsewhere(sequence)
                        .append(Change.UPDATED, "a", Map.of("v", 2L))
                        .liveCount())
                .isEqualTo(2);
        assertThat(sequence.append(Change.ADDED, "b", Map.of()).liveCount())
                .as("the live count")
                .isEqualTo(3);
        assertThat(elsewhere(sequence).append(Change.REMOVED, "a", Map.of()).liveCount())
                .isEqualTo(2);
        assertThat(sequence.append(Change.ADDED, "a", Map.of()).liveCount())
                .as("the live count")
                .isEqualTo(3);
        assertTailElsewhere(sequence, new Tail(6, 3, null));
        assertThat(sequence.read(1, 6)).extracting(Entry::liveCount).containsExactly(1L, 2L, 2L, 3L, 2L, 3L);
        assertThat(entry(sequence, 3).subject()).as("the subject of the entry").isEqualTo("a");
        assertThat(entry(sequence, 3).change()).as("the change of the entry").isEqualTo(Change.UPDATED);
    }

    @Test
    @Rule(value = "10.6", lookAt = "whether the state of a subject is read in the commit of the append")
    final void spec1006_changeThatDoesNotFitUsesNoNumber() {
        Sequence sequence = sequence();
        assertRefused(() -> sequence.append(Change.UPDATED, "a", Map.of()));
        assertRefused(() -> sequence.append(Change.REMOVED, "a", Map.of()));
        sequence.append(Change.ADDED, "a", Map.of());
        assertRefused(() -> elsewhere(sequence).append(Change.ADDED, "a", Map.of()));
        elsewhere(sequence).append(Change.REMOVED, "a", Map.of());
        assertRefused(() -> sequence.append(Change.REMOVED, "a", Map.of()));
        IdempotencyToken token = IdempotencyToken.random();
        assertRefused(() -> sequence.append(Change.UPDATED, "a", Map.of(), token));
        assertTail(sequence, new Tail(2, 0, null));
        sequence.append(Change.ADDED, "a", Map.of());
        assertThat(sequence.append(Change.UPDATED, "a", Map.of(), token).number())
                .isEqualTo(4);
    }

    @Test
    @Rule(value = "10.7", lookAt = "whether the state of a subject is read in the commit of the append")
    final void spec1007_subjectIsAddedByOneOfMany() throws Exception {
        for (int round = 0; round < 5; round++) {
            Sequence sequence = sequence();
            List<Boolean> added = tasks().callAtOnce(5, thread -> {
                try {
                    (thread % 2 == 0 ? sequence : elsewhere(sequence)).append(Change.ADDED, "a", Map.of());
                    return true;
                } catch (ChangeRefusedException e) {
                    return false;
                }
            });
            assertThat(added).containsOnlyOnce(true);
            assertTail(sequence, new Tail(1, 1, null));
        }
    }

    @Test
    @Rule(value = "10.8", lookAt = "how a batch continues when one of its changes does not fit")
    final void spec1008_badRequestFailsAlone() {
        Sequence sequence = sequence();
        try (CounterBackend backend = backend()) {
            List<Result<Entry>> results = backend.sequences()
                    .append(
                            sequence.name(),
                            List.of(
                                    request(Change.ADDED, "a"),
                                    request(Change.UPDATED, "absent"),
                                    request(Change.UPDATED, "a"),
                                    request(Change.ADDED, null)),
                            commit())
                    .join();
            if (!results.get(1).isRetry()) { // because of another request of the batch
                assertThat(results.get(1).failure())
                        .as("the failure of the change that does not fit")
                        .isNotNull()
                        .isInstanceOf(ChangeRefusedException.class);
            }
            long number = 0;
            for (int i : new int[] {0, 2, 3}) {
                Result<Entry> result = results.get(i);
                if (!result.isRetry()) {
                    assertThat(result.orThrow().number())
                            .as("the number of the entry")
                            .isEqualTo(++number);
                }
            }
            assertLast(sequence, number);
        }
    }

    private static AppendRequest request(Change change, @Nullable String subject) {
        return new AppendRequest(change, subject, Map.of(), null);
    }

    private static void assertRefused(Runnable append) {
        assertThatExceptionOfType(ChangeRefusedException.class).isThrownBy(append::run);
    }
}
