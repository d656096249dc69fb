package io.counterkit.tck.chapter.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Listening;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.model.SeriesRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Chapter 12, continued: a store whose processes were all closed. */
public abstract class ReopenedChapter extends Chapter {
    /** The largest number of series of changes for each kind of name, and the smallest number on a slow store. */
    private static final int SERIES = 300;

    private static final int LEAST = 60;

    /** The number of processes that are closed one after another. */
    private static final int PROCESSES = 20;

    private static final int FEW_PROCESSES = 5;
    private static final Duration LONGEST = Duration.ofMinutes(2);

    /** How long threads that processes share may take to end, if they do. */
    private static final Duration SETTLING = Duration.ofSeconds(3);

    /** How long threads may take to end. A cached pool that is not shut down ends idle threads after 60 seconds. */
    private static final Duration ENDING = ConcurrentTasks.PATIENCE.plusSeconds(60);

    @Test
    @Rule(
            value = "12.7",
            lookAt = "a store that ends with its last connection; data that is written, or cleared, when the next"
                    + " process starts; data that is kept in a process and not in the store: the message"
                    + " names it")
    final void spec1207_everythingStaysWhenAllProcessesAreClosed() throws Exception {
        List<CounterBackend> processes = List.of(backend(), backend());
        List<SeriesRun> runs = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            SeriesRun run = new SeriesRun(kind, processes, this::commit, false, name(), random);
            List<TimedTrial> trials = new ArrayList<>();
            run.all().forEach(series -> trials.add(series::run));
            timeBox.runBriefly(trials.subList(0, SERIES), LEAST);
            runs.add(run);
        }
        Commit decided = commit();
        String undone = name();
        assertThat(processes
                        .get(0)
                        .resolve(decided.token(), ChangeTarget.counter(undone), commit())
                        .join()
                        .applied())
                .isFalse();
        String name = name();
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        IdempotencyToken never = IdempotencyToken.random();
        here().counter(name).add(5, added);
        Entry entry = there().sequence(name).append(Change.ADDED, "s", Map.of("a", 1L), appended);
        here().resolve(never);
        there().sequence(name).append(Map.of("secret", "x"));
        there().sequence(name).erase(2);
        String deleted = name();
        here().counter(deleted).add(3);
        here().counter(deleted).delete();
        Seal seal = declares(Capability.SEAL_COUNTERS) ? here().counter(name).seal("elsewhere") : null;
        processes.forEach(CounterBackend::close);
        here().close();
        there().close();
        Counters later = connect();
        assertTotal(later.counter(name), 5);
        assertTotal(later.counter(deleted), 0);
        assertThat(later.sequence(name).append(Change.ADDED, "s", Map.of(), appended))
                .isEqualTo(entry);
        assertThat(later.sequence(name).read(1, 1)).containsExactly(entry);
        assertThat(later.sequence(name).read(2, 9))
                .as("the erased entry, and its fields")
                .hasSize(1)
                .allMatch(erased -> erased.erased() && erased.fields().isEmpty());
        assertTail(later.sequence(name), new Tail(2, 2, null));
        assertThat(later.resolve(added)).as("the resolution of the token").isEqualTo(new Resolution.Added(name, 5));
        assertThat(later.resolve(appended))
                .as("the resolution of the token")
                .isEqualTo(new Resolution.Appended(name, 1));
        assertThat(later.resolve(never)).as("the resolution of the token").isEqualTo(new Resolution.NotApplied());
        assertThatExceptionOfType(TokenRefusedException.class)
                .isThrownBy(() -> later.counter(name() + "/new").add(1, never));
        assertThatExceptionOfType(ChangeRefusedException.class)
                .isThrownBy(() -> later.sequence(name).append(Change.ADDED, "s", Map.of()));
        if (seal != null) {
            assertThat(later.counter(name).seal("elsewhere"))
                    .as("the seal that is returned")
                    .isEqualTo(seal);
        }
        CounterBackend process = backend();
        CompletableFuture<?> late = process.counters().add(List.of(new AddRequest(undone, 1, null)), decided);
        late.handle((done, failure) -> failure).join();
        assertThat(later.counter(undone).get())
                .as("the total after an add whose commit was resolved as not applied")
                .isZero();
        runs.forEach(run -> run.compareAgain(process));
    }

    @Test
    @Rule(
            value = "12.8",
            lookAt = "executors, timers and pools that a backend creates: its close shuts them down; clients that the"
                    + " fixture creates: its close closes them")
    final void spec1208_closedProcessesLeaveNoThreads() throws Throwable {
        StartedThreads threads = new StartedThreads();
        threads.run(() -> openAndClose(FEW_PROCESSES), LONGEST); // which may start threads that processes share
        int shared = threads.await(FEW_PROCESSES, SETTLING).size();
        threads.run(() -> openAndClose(PROCESSES), LONGEST);
        List<String> left = threads.await(shared + PROCESSES, ENDING);
        assertThat(left.size() - shared)
                .as(
                        "the number of threads after %s processes and their store were closed, in addition to the %s"
                                + " threads that the first %s processes have left: %s",
                        PROCESSES, shared, FEW_PROCESSES, left)
                .isLessThan(PROCESSES);
    }

    /** Opens, uses and closes processes on a store of their own, one after another. */
    private void openAndClose(int processes) {
        BackendFixture fixture = createFixture();
        try {
            fixture.enterThread();
            String name = name();
            for (int i = 1; i <= processes; i++) {
                CounterBackend backend = fixture.connect();
                Listening unused = backend.counters().listen(name, () -> {}); // closed with the backend
                Listening unusedToo = backend.sequences().listen(name, () -> {});
                Counters process = Counters.over(backend);
                process.counter(name).add(1);
                assertThat(process.counter(name).get())
                        .as("the total after an add of process %s", i)
                        .isEqualTo(i);
                assertThat(process.sequence(name).next())
                        .as("the number from process %s", i)
                        .isEqualTo(i);
                process.close();
            }
        } finally {
            fixture.close();
        }
    }
}
