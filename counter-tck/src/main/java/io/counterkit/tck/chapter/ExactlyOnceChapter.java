package io.counterkit.tck.chapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Chapter 5: exactly once. */
public abstract class ExactlyOnceChapter extends Chapter {
    /** A change that fails this often in a row despite a single fault never succeeds. */
    private static final int MAX_ATTEMPTS = 20;

    @Test
    @Rule(value = "5.1", lookAt = "where tokens are kept: in the store, not in a handle or a process")
    final void spec501_tokenIsAppliedOnce() {
        Counter counter = counter();
        IdempotencyToken token = IdempotencyToken.random();
        counter.add(5, token);
        counter.add(5, token);
        here().counter(counter.name()).add(5, token);
        elsewhere(counter).add(5, token);
        assertThat(counter.get()).isEqualTo(5);
        Counter mixed = counter();
        List<IdempotencyToken> tokens = new ArrayList<>();
        List<CompletableFuture<?>> sent = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            IdempotencyToken each = IdempotencyToken.random();
            tokens.add(each);
            sent.add(mixed.async().add(1));
            sent.add(mixed.async().add(100, each));
        }
        sent.forEach(CompletableFuture::join);
        tokens.forEach(each -> elsewhere(mixed).add(100, each));
        assertThat(mixed.get())
                .as("the total after adds with and without tokens at once, of which those with tokens are repeated")
                .isEqualTo(808);
    }

    @Test
    @Rule(value = "5.2", lookAt = "whether checking the token and applying the add are one atomic step")
    final void spec502_concurrentChangesWithOneTokenAreAppliedOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            Counter counter = counter();
            IdempotencyToken token = IdempotencyToken.random();
            try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
                tasks.runAtOnce(6, thread -> {
                    (thread % 2 == 0 ? counter : elsewhere(counter)).add(3, token);
                    return true;
                });
            }
            assertThat(counter.get()).isEqualTo(3);
            Sequence sequence = sequence();
            IdempotencyToken appended = IdempotencyToken.random();
            List<Long> numbers;
            try (ConcurrentTasks tasks = new ConcurrentTasks(fixture())) {
                numbers = tasks.runAtOnce(
                        6,
                        thread -> (thread % 2 == 0 ? sequence : elsewhere(sequence))
                                .append(Map.of(), appended)
                                .number());
            }
            assertThat(numbers).containsOnly(1L);
            assertThat(sequence.last()).isOne();
        }
    }

    @Test
    @Rule(value = "5.3", lookAt = "what is stored with a token, and whether it is compared")
    final void spec503_tokenOfAnotherChangeIsRefused() {
        Counter counter = counter();
        Counter another = counter();
        Sequence sequence = sequence();
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        counter.add(5, added);
        sequence.append(Map.of(), appended);
        assertRefused(() -> counter.add(6, added));
        assertRefused(() -> another.add(5, added));
        assertRefused(() -> sequence.append(Map.of(), added));
        assertRefused(() -> counter.add(1, appended));
        assertRefused(() -> sequence().append(Map.of(), appended));
        assertRefused(() -> sequence.append(Change.ADDED, "subject", Map.of(), appended));
        assertThat(counter.get()).isEqualTo(5);
        assertThat(another.get()).isZero();
        assertThat(sequence.last()).isOne();
    }

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
            trial.end();
            assertThat(elsewhere(counter).get()).as(trial.reported(applied)).isEqualTo(expected[0]);
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
                trial.end();
                assertThat(elsewhere(counter).get()).as("%s", trial).isEqualTo(expected[0]);
            }
            trial.end();
            elsewhere(counter).add(5, token);
            expected[0] += 5;
            assertThat(counter.get()).as("%s", trial).isEqualTo(expected[0]);
        });
    }

    @Test
    @Rule(value = "5.6", lookAt = "the token of the commit: whether it is written with the change and found by resolve")
    final void spec506_unknownAddCanBeRepeatedWithItsToken() {
        Counter counter = counter();
        long[] expected = {0};
        sweep(StoreFault.LOSE_REPLY, trial -> {
            addRepeating(counter, 5);
            trial.end();
            expected[0] += 5;
            assertThat(elsewhere(counter).get()).as("%s", trial).isEqualTo(expected[0]);
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
                    .as("whether the first call was hit")
                    .isTrue();
            adds.forEach(add -> joinRepeating(counter, 1, add));
        }
        assertThat(elsewhere(counter).get()).isEqualTo(60);
    }

    @Test
    @Rule(value = "5.8", lookAt = "what is stored with a token, and whether resolve reads it")
    final void spec508_resolveReturnsWhatWasApplied() {
        Counter counter = counter();
        Sequence sequence = sequence();
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        counter.add(-7, added);
        sequence.next();
        sequence.append(Map.of("a", "b"), appended);
        for (Counters counters : List.of(here(), there())) {
            assertThat(counters.resolve(added)).isEqualTo(new Resolution.Added(counter.name(), -7));
            assertThat(counters.resolve(appended)).isEqualTo(new Resolution.Appended(sequence.name(), 2));
        }
    }

    @Test
    @Rule(value = "5.9", lookAt = "whether resolve stores a decision that prevents a later commit with the token")
    final void spec509_changeResolvedAsNotAppliedIsNeverApplied() {
        Counter counter = counter();
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        assertThat(here().resolve(token)).isEqualTo(new Resolution.NotApplied());
        assertRefused(() -> counter.add(5, token));
        assertRefused(() -> elsewhere(sequence).append(Map.of(), token));
        assertThat(there().resolve(token)).isEqualTo(new Resolution.NotApplied());
        assertThat(counter.get()).isZero();
        assertThat(sequence.last()).isZero();
    }

    @Test
    @Rule(value = "5.10", lookAt = "a commit that reaches the store after its token was resolved")
    final void spec510_addThatIsLateDoesNotOverruleResolve() {
        sweep(StoreFault.HOLD, trial -> {
            Counter counter = counter();
            Counters impatient = impatient();
            boolean applied =
                    applyAndResolve(() -> impatient.counter(counter.name()).add(5));
            trial.end();
            assertThat(elsewhere(counter).get()).as(trial.reported(applied)).isEqualTo(applied ? 5 : 0);
        });
    }

    @Test
    @Rule(value = "5.11", lookAt = "an append that reaches the store, or is retried, after its token was resolved")
    final void spec511_appendThatIsLateDoesNotOverruleResolve() {
        sweep(StoreFault.HOLD, trial -> {
            Sequence sequence = sequence();
            Counters impatient = impatient();
            boolean applied =
                    applyAndResolve(() -> impatient.sequence(sequence.name()).next());
            if (!trial.isHit()) {
                return;
            }
            long next = elsewhere(sequence).next();
            trial.end();
            elsewhere(sequence).next();
            assertThat(next).as(trial.reported(applied)).isEqualTo(applied ? 2 : 1);
            assertThat(elsewhere(sequence).last()).as(trial.reported(applied)).isEqualTo(applied ? 3 : 2);
        });
    }

    @Test
    @Rule(value = "5.12", lookAt = "where tokens are kept: outside the counter")
    final void spec512_tokenOutlivesResetAndDeletion() {
        Counter counter = counter();
        IdempotencyToken beforeReset = IdempotencyToken.random();
        IdempotencyToken beforeDelete = IdempotencyToken.random();
        counter.add(5, beforeReset);
        counter.reset();
        counter.add(5, beforeReset);
        assertThat(counter.get()).isZero();
        counter.add(5, beforeDelete);
        counter.delete();
        counter.add(5, beforeDelete);
        assertThat(elsewhere(counter).get()).isZero();
    }

    @Test
    @Rule(value = "5.13", lookAt = "what an append does if its token was used: it has to return the existing entry")
    final void spec513_appendWithTheSameTokenReturnsTheFirstEntry() {
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        sequence.next();
        Entry first = sequence.append(Map.of("attempt", 1L), token);
        sequence.next();
        assertThat(sequence.append(Map.of("attempt", 2L), token)).isEqualTo(first);
        assertThat(elsewhere(sequence).append(Map.of("attempt", 3L), token)).isEqualTo(first);
        assertThat(first.number()).isEqualTo(2);
        assertThat(sequence.last()).isEqualTo(3);
    }

    @Test
    @Rule(value = "5.14", lookAt = "what an append does after an error with an unknown outcome")
    final void spec514_lostReplyOfAnAppendUsesUpOneNumber() {
        Sequence sequence = sequence();
        List<Long> given = new ArrayList<>();
        sweep(StoreFault.LOSE_REPLY, trial -> {
            given.add(appendRepeating(sequence, trial.toString()));
            trial.end();
            assertThat(given).as("%s", trial).isEqualTo(SequenceHistory.firstNumbers(given.size()));
            assertThat(SequenceHistory.numbersIn(elsewhere(sequence)))
                    .as("%s", trial)
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

    private static void assertRefused(Runnable change) {
        assertThatExceptionOfType(TokenRefusedException.class)
                .as("the refusal of a token that was used for another change")
                .isThrownBy(change::run);
    }
}
