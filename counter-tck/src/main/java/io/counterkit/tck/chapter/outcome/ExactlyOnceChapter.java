package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.Futures;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SimilarTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Chapter 5: exactly once. */
public abstract class ExactlyOnceChapter extends Chapter {
    /**
     * Pairs of deltas that a store may treat as equal: by their absolute values, 16 or 32 bits, or single precision.
     */
    private static final List<List<Long>> SIMILAR_DELTAS = List.of(
            List.of(5L, -5L),
            List.of(5L, 5L + (1L << 16)),
            List.of(5L, 5L + (1L << 32)),
            List.of(1L << 53, (1L << 53) - 1));

    /** Pairs of endings that a store may treat as equal: folded, trimmed, shortened or hashed. */
    private static final List<List<String>> SIMILAR_ENDINGS = List.of(
            List.of("a", "A"),
            List.of("a", "a "),
            List.of("a", "b"),
            List.of("\u00e9", "e\u0301"),
            List.of("Aa", "BB"),
            List.of("plumless", "buckeroo"));

    @Test
    @Rule(value = "5.1", lookAt = "where tokens are kept: in the store, not in a handle or a process")
    final void spec501_tokenIsAppliedOnce() {
        Counter counter = counter();
        IdempotencyToken token = IdempotencyToken.random();
        counter.add(5, token);
        counter.add(5, token);
        here().counter(counter.name()).add(5, token);
        elsewhere(counter).add(5, token);
        assertTotal(counter, 5);
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
                .as("the total after concurrent adds with and without tokens; those with tokens were repeated")
                .isEqualTo(808);
    }

    @Test
    @Rule(value = "5.2", lookAt = "whether checking the token and applying the add are one atomic step")
    final void spec502_concurrentChangesWithOneTokenAreAppliedOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            Counter counter = counter();
            IdempotencyToken token = IdempotencyToken.random();
            tasks().runAtOnce(6, thread -> {
                (thread % 2 == 0 ? counter : elsewhere(counter)).add(3, token);
            });
            assertTotal(counter, 3);
            Sequence sequence = sequence();
            IdempotencyToken appended = IdempotencyToken.random();
            List<Long> numbers = tasks().callAtOnce(
                            6,
                            thread -> (thread % 2 == 0 ? sequence : elsewhere(sequence))
                                    .append(Map.of(), appended)
                                    .number());
            assertThat(numbers).containsOnly(1L);
            assertLast(sequence, 1);
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
        assertTotal(counter, 5);
        assertTotal(another, 0);
        assertLast(sequence, 1);
        for (List<Long> deltas : SIMILAR_DELTAS) {
            Counter each = counter();
            IdempotencyToken token = IdempotencyToken.random();
            each.add(deltas.get(0), token);
            assertRefused(() -> elsewhere(each).add(deltas.get(1), token));
            assertTotal(each, deltas.get(0));
        }
        for (List<String> endings : SIMILAR_ENDINGS) {
            refusesSimilarNames(SimilarTexts.filled(name(), 350), endings);
        }
        refusesSimilarAppends();
    }

    private void refusesSimilarNames(String prefix, List<String> endings) {
        String used = prefix + endings.get(0);
        String other = prefix + endings.get(1);
        IdempotencyToken added = IdempotencyToken.random();
        IdempotencyToken appended = IdempotencyToken.random();
        IdempotencyToken ofSubject = IdempotencyToken.random();
        Sequence sequence = here().sequence(used);
        here().counter(used).add(1, added);
        sequence.append(Map.of(), appended);
        sequence.append(Change.ADDED, used, Map.of(), ofSubject);
        assertRefused(() -> there().counter(other).add(1, added));
        assertRefused(() -> there().sequence(other).append(Map.of(), appended));
        assertRefused(() -> elsewhere(sequence).append(Change.ADDED, other, Map.of(), ofSubject));
        assertTotalElsewhere(other, 0);
        assertLastElsewhere(other, 0);
        assertLast(sequence, 2);
    }

    private void refusesSimilarAppends() {
        Sequence sequence = sequence();
        IdempotencyToken plain = IdempotencyToken.random();
        IdempotencyToken ofNull = IdempotencyToken.random();
        sequence.append(Map.of(), plain);
        sequence.append(Change.ADDED, "null", Map.of(), ofNull);
        assertRefused(() -> elsewhere(sequence).append(Change.ADDED, "null", Map.of(), plain));
        assertRefused(() -> elsewhere(sequence).append(Map.of(), ofNull));
        List<Change> changes = List.of(Change.ADDED, Change.UPDATED, Change.REMOVED);
        List<IdempotencyToken> tokens = new ArrayList<>();
        for (Change change : changes) {
            tokens.add(IdempotencyToken.random());
            sequence.append(change, "s", Map.of(), tokens.get(tokens.size() - 1));
        }
        for (int i = 0; i < changes.size(); i++) {
            for (Change other : Change.values()) {
                IdempotencyToken token = tokens.get(i);
                if (other != changes.get(i)) {
                    assertRefused(() -> elsewhere(sequence).append(other, "s", Map.of(), token));
                }
            }
        }
        assertLast(sequence, 5);
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
            assertThat(counters.resolve(added))
                    .as("the resolution of the token")
                    .isEqualTo(new Resolution.Added(counter.name(), -7));
            assertThat(counters.resolve(appended))
                    .as("the resolution of the token")
                    .isEqualTo(new Resolution.Appended(sequence.name(), 2));
        }
    }

    @Test
    @Rule(
            value = "5.9",
            lookAt =
                    "whether resolve stores a decision that prevents a later commit with the token; whether a change of"
                            + " another name removes it")
    final void spec509_changeResolvedAsNotAppliedIsNeverApplied() {
        Counter counter = counter();
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        assertThat(here().resolve(token)).as("the resolution of the token").isEqualTo(new Resolution.NotApplied());
        Stage stage = stage(there());
        for (Operation<List<Part>> change : possible(Changes.all())) { // of other names
            change.on(stage).forEach(part -> Futures.join(part.start().get()));
        }
        assertRefused(() -> counter.add(5, token));
        assertRefused(() -> elsewhere(sequence).append(Map.of(), token));
        assertResolved(token, new Resolution.NotApplied());
        assertTotal(counter, 0);
        assertLast(sequence, 0);
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
        assertTotal(counter, 0);
        counter.add(5, beforeDelete);
        counter.delete();
        counter.add(5, beforeDelete);
        assertTotalElsewhere(counter, 0);
        awaitLists(() -> assertThat(ListedNames.ofCounters(there(), counter.name()))
                .as("the names listed for a deleted counter, after its last add was repeated")
                .isEmpty());
    }

    @Test
    @Rule(value = "5.13", lookAt = "what an append does if its token was used: it has to return the existing entry")
    final void spec513_appendWithTheSameTokenReturnsTheFirstEntry() {
        Sequence sequence = sequence();
        IdempotencyToken token = IdempotencyToken.random();
        sequence.next();
        Entry first = sequence.append(Map.of("attempt", 1L), token);
        sequence.next();
        assertThat(sequence.append(Map.of("attempt", 2L), token))
                .as("the entry that the append returns")
                .isEqualTo(first);
        assertThat(elsewhere(sequence).append(Map.of("attempt", 3L), token))
                .as("the entry that an append in another process returns")
                .isEqualTo(first);
        assertThat(first.number()).as("the number of the entry").isEqualTo(2);
        assertLast(sequence, 3);
    }

    private static void assertRefused(Runnable change) {
        assertThatExceptionOfType(TokenRefusedException.class)
                .as("the refusal of a token that stands for another change or was resolved as not applied")
                .isThrownBy(change::run);
    }
}
