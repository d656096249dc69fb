package io.counterkit.tck.chapter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Outcome;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks.Overtaken;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Chapters 2 and 8, continued: the tokens of commits, in batches and after a reset or a deletion. */
public abstract class CommitsChapter extends Chapter {
    /** The longest time that a fast store takes for the trials with deletions. Those with resets need a fast store. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(2);

    @Test
    @Rule(
            value = "2.10",
            lookAt = "what a batch does if the token of its commit was resolved as not applied: requests with tokens of"
                    + " their own have their own outcomes")
    final void spec210_eachAddOfAResolvedCommitHasItsOwnOutcome() {
        CounterBackend backend = backend();
        boolean onePerName = backend.counters().limits().onePerName();
        boolean isAlone = backend.counters().limits().direct();
        for (int round = 0; round < 4; round++) {
            int known = round % 2;
            Counter shared = counter(5);
            Counter own = onePerName ? shared : counter(5);
            Counter another = counter(5);
            IdempotencyToken before = IdempotencyToken.random();
            if (known == 1) {
                elsewhere(own).add(20, before);
            }
            AddRequest first = new AddRequest(own.name(), 100, IdempotencyToken.random());
            AddRequest second = new AddRequest(own.name(), 20, before);
            Commit commit = commit();
            boolean isOfAnother = round >= 2 && !onePerName && !isAlone;
            ChangeTarget target = ChangeTarget.counter((isOfAnother ? another : shared).name());
            assertThat(backend().resolve(commit.token(), target, commit()).join())
                    .isEqualTo(new Resolution.NotApplied());
            List<AddRequest> requests = new ArrayList<>(List.of(first));
            if (!isAlone) {
                requests.add(new AddRequest(shared.name(), 3, null));
                requests.add(second);
                if (!onePerName) {
                    requests.add(new AddRequest(another.name(), 4, null));
                }
            }
            List<Result<Void>> results =
                    backend.counters().add(requests, commit).join();
            assertThat(results).hasSameSizeAs(requests);
            long total = 5L + (known == 1 ? 20 : 0);
            for (int i = 0; i < requests.size(); i++) {
                AddRequest request = requests.get(i);
                IdempotencyToken token = request.token();
                boolean isApplied = results.get(i).isApplied();
                if (token == null) {
                    assertThat(isApplied)
                            .as("whether an add without a token was applied although its commit was resolved as"
                                    + " not applied")
                            .isFalse();
                } else {
                    assertThat(there().resolve(token))
                            .as(
                                    "the resolution of the token of request %s, whose commit was resolved as not"
                                            + " applied and whose result was %s",
                                    i + 1, results.get(i))
                            .isEqualTo(
                                    isApplied
                                            ? new Resolution.Added(own.name(), request.delta())
                                            : known == 1 && token.equals(before)
                                                    ? new Resolution.Added(own.name(), 20)
                                                    : new Resolution.NotApplied());
                    total += isApplied && !(known == 1 && token.equals(before)) ? request.delta() : 0;
                }
            }
            assertThat(elsewhere(own).get())
                    .as("the total of the adds with tokens")
                    .isEqualTo(total);
            assertThat(elsewhere(shared).get())
                    .as("the total of the counter whose add has no token")
                    .isEqualTo(onePerName ? total : 5);
            assertThat(elsewhere(another).get())
                    .as("the total of another counter whose add has no token")
                    .isEqualTo(5);
        }
    }

    @Test
    @Rule(
            value = "8.10",
            lookAt = "what an add compares before it writes: a version, or a total, that the counter may have again"
                    + " after a deletion or a reset")
    final void spec810_lateAddDoesNotRestoreAClearedCounter() throws Exception {
        long start = System.nanoTime();
        int calls = 0;
        boolean isHeld = true;
        while (isHeld) {
            isHeld = addWhileCleared(++calls, Counter::delete);
        }
        for (int call = 1; call < calls && System.nanoTime() - start < SOON; call++) {
            addWhileCleared(call, Counter::reset);
        }
    }

    /** Holds one call of an add, and meanwhile clears the counter and adds to it. Returns whether a call was held. */
    private boolean addWhileCleared(int call, Consumer<Counter> clearing) throws Exception {
        Counter counter = counter(5);
        Overtaken<String, Boolean> add = tasks().overtake(call, () -> outcomeOf(() -> counter.add(300)), () -> {
            clearing.accept(elsewhere(counter));
            elsewhere(counter).add(10);
            return true;
        });
        String outcome = add.result();
        List<Long> possible = outcome.equals(Outcome.NOT_APPLIED.name()) ? List.of(10L) : List.of(10L, 310L);
        assertThat(counter.get())
                .as(
                        "the total after another process cleared the counter and added 10 while call %s of an add of"
                                + " 300 was held; the outcome of that add is %s",
                        call, outcome)
                .isIn(possible);
        return add.isHeld();
    }

    private static String outcomeOf(Runnable change) {
        try {
            change.run();
            return "APPLIED";
        } catch (CounterException e) {
            return e.outcome().name();
        }
    }

    @Test
    @Rule(
            value = "8.11",
            lookAt = "where the tokens of commits are kept, also those that were resolved: it has to be outside the"
                    + " counter; a reset that has nothing to change")
    final void spec811_commitsOutliveResetAndDeletion() {
        CounterBackend backend = backend();
        CounterBackend other = backend();
        Counter counter = counter(5);
        String name = counter.name();
        ChangeTarget target = ChangeTarget.counter(name);
        AddRequest request = new AddRequest(name, 7, null);
        Commit added = commit();
        IdempotencyToken ofAdd = added.token();
        assertThat(backend.counters().add(List.of(request), added).join()).containsOnly(Result.applied());
        Commit never = commit();
        assertThat(other.resolve(never.token(), target, commit()).join().applied())
                .isFalse();
        Commit cleared = commit();
        IdempotencyToken ofReset = cleared.token();
        backend.counters().reset(name, cleared).join();
        Commit again = commit();
        IdempotencyToken ofSecondReset = again.token();
        backend.counters().reset(name, again).join();
        for (int life = 0; life < 2; life++) {
            for (IdempotencyToken applied : List.of(ofAdd, ofReset, ofSecondReset)) {
                assertThat(other.resolve(applied, target, commit()).join().applied())
                        .as(
                                "whether the token of an applied %s is resolved as applied after %s",
                                applied.equals(ofAdd)
                                        ? "commit of an add"
                                        : applied.equals(ofReset) ? "commit of a reset" : "reset of a total of 0",
                                life == 0 ? "a reset" : "a deletion")
                        .isTrue();
            }
            assertNotApplied(backend, request, never, life == 0 ? "a reset" : "a deletion");
            assertTotalElsewhere(counter, 0);
            counter.delete();
        }
    }

    private static void assertNotApplied(CounterBackend backend, AddRequest request, Commit never, String after) {
        boolean isApplied = false;
        try {
            isApplied = backend.counters()
                    .add(List.of(request), never)
                    .join()
                    .get(0)
                    .isApplied();
        } catch (CompletionException e) {
            assertThat(Futures.unwrap(e)).isInstanceOf(NotAppliedException.class);
        }
        assertThat(isApplied)
                .as(
                        "whether an add was applied after %s, although its commit was resolved as not applied before",
                        after)
                .isFalse();
    }
}
