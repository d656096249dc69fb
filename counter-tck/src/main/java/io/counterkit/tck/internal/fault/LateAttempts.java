package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.spi.Futures;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Attempts that reach the store after a later attempt of the same change was answered. Only a change that changed
 * nothing is at risk: a reset or a deletion of an absent counter, an append that was refused, or an erasure that found
 * no entry. A backend that does not retry while its call is held passes.
 */
public final class LateAttempts {
    /** The number of calls of an attempt. Few stores need more. */
    private static final int CALLS = 3;

    /** How long the first held change may take until another attempt is answered. Many clients wait 2 s for a reply. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(3);

    /** The shortest such time for each of the others. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final ConcurrentTasks tasks;
    private final Counters acting;
    private final Counters other;
    private final Supplier<String> absent;
    private Duration patience = FIRST_PATIENCE;

    /**
     * @param acting the process that makes the changes
     * @param other the process that makes the later changes
     * @param absent returns a new name
     */
    public LateAttempts(ConcurrentTasks tasks, Counters acting, Counters other, Supplier<String> absent) {
        this.tasks = tasks;
        this.acting = acting;
        this.other = other;
        this.absent = absent;
    }

    /**
     * Returns the trials: each change in a random order with its first call held, then with its second one, and so on.
     */
    public List<TimedTrial> trials(Random random) {
        List<Held> changes = new ArrayList<>(List.of(
                this::reset, this::delete, this::addLiveSubject, this::removeAbsentSubject, this::eraseAbsentEntry));
        List<TimedTrial> trials = new ArrayList<>();
        for (int call = 1; call <= CALLS; call++) {
            int held = call;
            Collections.shuffle(changes, random);
            changes.forEach(change -> trials.add(() -> change.run(held)));
        }
        return trials;
    }

    private interface Held {
        void run(int call) throws Exception;
    }

    private void reset(int call) throws Exception {
        String name = absent.get();
        run(call, () -> acting.counter(name).async().reset(), () -> addThenCheckTotal("a reset", name));
    }

    private void delete(int call) throws Exception {
        String name = absent.get();
        run(call, () -> acting.counter(name).async().delete(), () -> addThenCheckTotal("a deletion", name));
    }

    private Runnable addThenCheckTotal(String change, String name) {
        other.counter(name).add(5);
        return () -> assertThat(other.counter(name).get())
                .as(
                        "the total after %s and a later add of 5; the first attempt of the former reached the store"
                                + " last",
                        change)
                .isEqualTo(5);
    }

    private void addLiveSubject(int call) throws Exception {
        Sequence sequence = other.sequence(absent.get());
        sequence.append(Change.ADDED, "s", Map.of());
        run(call, () -> append(sequence, Change.ADDED), () -> {
            sequence.append(Change.REMOVED, "s", Map.of());
            return () -> checkTail(sequence, new Tail(2, 0, null));
        });
    }

    private void removeAbsentSubject(int call) throws Exception {
        Sequence sequence = other.sequence(absent.get());
        run(call, () -> append(sequence, Change.REMOVED), () -> {
            sequence.append(Change.ADDED, "s", Map.of());
            return () -> checkTail(sequence, new Tail(1, 1, null));
        });
    }

    private void eraseAbsentEntry(int call) throws Exception {
        Sequence sequence = other.sequence(absent.get());
        run(call, () -> acting.sequence(sequence.name()).async().erase(1), () -> {
            Entry entry = sequence.append(Map.of("a", 1L));
            return () -> assertThat(sequence.read(1, 1))
                    .as("entry 1, which was appended after an erasure found no entry; the first attempt of the erasure"
                            + " reached the store last")
                    .containsExactly(entry);
        });
    }

    private CompletableFuture<?> append(Sequence sequence, Change change) {
        return acting.sequence(sequence.name()).async().append(change, "s", Map.of());
    }

    private static void checkTail(Sequence sequence, Tail expected) {
        assertThat(sequence.tail())
                .as("the tail after a refused append and a later append; the first attempt of the former reached"
                        + " the store last")
                .isEqualTo(expected);
    }

    /**
     * Holds a call of {@code change}. If the change is answered anyway, makes {@code later} changes and checks them.
     */
    private void run(int call, Supplier<CompletableFuture<?>> change, Supplier<Runnable> later) throws Exception {
        Runnable check = () -> {};
        Future<Boolean> answer;
        try (Trial held = tasks.hold(call)) {
            answer = tasks.start(() -> change.get()
                    .handle((done, failure) ->
                            failure == null || !(Futures.unwrap(failure) instanceof OutcomeUnknownException))
                    .join());
            if (held.awaitHit(answer::isDone)) {
                awaitAnswer(answer);
                if (answer.isDone() && ConcurrentTasks.result(answer)) {
                    check = later.get();
                }
            }
        }
        ConcurrentTasks.result(answer);
        check.run();
    }

    /** Waits for the answer to a later attempt, and adapts how long the next one may take. */
    private void awaitAnswer(Future<?> answer) {
        long start = System.nanoTime();
        ConcurrentTasks.await(answer::isDone, patience);
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        Duration next = answer.isDone() ? taken.multipliedBy(2) : patience.dividedBy(4);
        patience = next.compareTo(PATIENCE) > 0 ? next : PATIENCE;
    }
}
