package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Chapter 5, continued: changes whose replies are lost, or that reach the store late. */
public abstract class LostRepliesChapter extends Chapter {
    /** A change that fails this often in a row despite a single fault never succeeds. */
    private static final int MAX_ATTEMPTS = 20;

    @Test
    @Rule(
            value = "5.4",
            lookAt = "what the backend does when the reply to its commit is lost: it has to retry with the same token")
    final void spec504_lostReplyOfAnAddIsNotAppliedTwice() {
        Counter counter = counter();
        long[] expected = {0};
        sweep(StoreFault.LOSE_REPLY, trial -> {
            boolean applied = applyAndResolve(() -> counter.add(5));
            expected[0] += applied ? 5 : 0;
            trial.close();
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(expected[0]);
        });
    }

    @Test
    @Rule(
            value = "5.5",
            lookAt = "what the backend does when the reply to its commit is lost and the caller repeats the add")
    final void spec505_repetitionInAnotherProcessIsAppliedOnce() {
        Counter counter = counter();
        long[] expected = {0};
        sweep(StoreFault.LOSE_REPLY, trial -> {
            IdempotencyToken token = IdempotencyToken.random();
            try {
                counter.add(5, token);
            } catch (OutcomeUnknownException e) {
                assertThat(e.token()).isEqualTo(token);
            } catch (NotAppliedException e) {
                trial.close();
                assertThat(elsewhere(counter).get()).as("%s: the total", trial).isEqualTo(expected[0]);
            }
            trial.close();
            elsewhere(counter).add(5, token);
            expected[0] += 5;
            assertThat(counter.get()).as("%s: the total", trial).isEqualTo(expected[0]);
        });
    }

    @Test
    @Rule(value = "5.6", lookAt = "the token of the commit: whether it is written with the change and found by resolve")
    final void spec506_unknownAddCanBeRepeatedWithItsToken() {
        Counter counter = counter();
        long[] expected = {0};
        sweep(StoreFault.LOSE_REPLY, trial -> {
            addRepeating(counter, 5);
            trial.close();
            expected[0] += 5;
            assertThat(elsewhere(counter).get()).as("%s: the total", trial).isEqualTo(expected[0]);
        });
    }

    @Test
    @Rule(
            value = "5.7",
            lookAt = "adds that share a commit whose reply is lost: each reports its outcome, and none counts twice")
    final void spec507_mergedAddsWithLostRepliesAreExact() {
        Counter counter = counter();
        for (int call = 1; call <= 3; call++) {
            List<CompletableFuture<Void>> adds = new ArrayList<>();
            InjectedFault injected = inject(StoreFault.LOSE_REPLY, call);
            for (int i = 0; i < 20; i++) {
                adds.add(counter.async().add(1));
            }
            adds.forEach(add -> add.handle((done, failure) -> failure).join());
            injected.close();
            assertThat(injected.isHit() || call > 1)
                    .as("whether the fault hit the first call of the adds")
                    .isTrue();
            adds.forEach(add -> joinRepeating(counter, 1, add));
        }
        assertTotalElsewhere(counter, 60);
    }

    @Test
    @Rule(value = "5.10", lookAt = "a commit that reaches the store after its token was resolved")
    final void spec510_addThatIsLateDoesNotOverruleResolve() {
        sweep(StoreFault.HOLD, trial -> {
            Counter counter = counter();
            Counters impatient = impatient();
            boolean applied =
                    applyAndResolve(() -> impatient.counter(counter.name()).add(5), trial);
            trial.close();
            assertThat(elsewhere(counter).get())
                    .as("%s: the total", trial.reported(applied))
                    .isEqualTo(applied ? 5 : 0);
        });
    }

    @Test
    @Rule(value = "5.11", lookAt = "an append that reaches the store, or is retried, after its token was resolved")
    final void spec511_appendThatIsLateDoesNotOverruleResolve() {
        sweep(StoreFault.HOLD, trial -> {
            Sequence sequence = sequence();
            Counters impatient = impatient();
            boolean applied =
                    applyAndResolve(() -> impatient.sequence(sequence.name()).next(), trial);
            if (!trial.isHit()) {
                return;
            }
            long next = elsewhere(sequence).next();
            trial.close();
            elsewhere(sequence).next();
            assertThat(next).as("%s: the next number", trial.reported(applied)).isEqualTo(applied ? 2 : 1);
            assertThat(elsewhere(sequence).last())
                    .as("%s: the last number", trial.reported(applied))
                    .isEqualTo(applied ? 3 : 2);
        });
    }

    @Test
    @Rule(value = "5.14", lookAt = "what an append does after an error with an unknown outcome")
    final void spec514_lostReplyOfAnAppendUsesUpOneNumber() {
        Sequence sequence = sequence();
        List<Long> given = new ArrayList<>();
        sweep(StoreFault.LOSE_REPLY, trial -> {
            given.add(appendRepeating(sequence, trial.toString()));
            trial.close();
            assertThat(given)
                    .as("%s: the numbers that the appends returned", trial)
                    .isEqualTo(SequenceHistory.firstNumbers(given.size()));
            assertThat(SequenceHistory.numbersIn(elsewhere(sequence)))
                    .as("%s: the numbers of the entries", trial)
                    .isEqualTo(given);
        });
    }

    private static void addRepeating(Counter counter, long delta) {
        joinRepeating(counter, delta, counter.async().add(delta));
    }

    /** Waits for an add and repeats it until it is applied, with its token if the outcome is unknown. */
    private static void joinRepeating(Counter counter, long delta, CompletableFuture<Void> first) {
        CompletableFuture<Void> add = first;
        for (int attempt = 1; ; attempt++) {
            try {
                add.join();
                return;
            } catch (CompletionException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                if (e.getCause() instanceof OutcomeUnknownException unknown) {
                    add = counter.async().add(delta, unknown.token());
                } else if (e.getCause() instanceof NotAppliedException) {
                    add = counter.async().add(delta);
                } else {
                    throw e;
                }
            }
        }
    }

    private static long appendRepeating(Sequence sequence, String trial) {
        IdempotencyToken token = null;
        for (int attempt = 1; ; attempt++) {
            try {
                Map<String, String> fields = Map.of("trial", trial);
                return (token == null ? sequence.append(fields) : sequence.append(fields, token)).number();
            } catch (CounterException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                token = e instanceof OutcomeUnknownException unknown ? unknown.token() : null;
            }
        }
    }
}
