package io.counterkit.tck.chapter.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.MigrationChapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.model.ListedNames;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Chapter 11, continued: the changes that a seal refuses, and the state after a refusal. */
public abstract class SealRefusalsChapter extends MigrationChapter {
    @Test
    @Rule(
            value = "11.12",
            lookAt =
                    "the order of checks for each request of a batch: first its token, then the seal, then its subject;"
                            + " what a refused append leaves in the store")
    final void spec1112_eachAppendOfABatchAfterASealHasItsOwnOutcome() {
        CounterBackend backend = backend();
        Sequence sequence = sequence();
        IdempotencyToken known = IdempotencyToken.random();
        sequence.append(Change.ADDED, "live", Map.of());
        Entry before = sequence.append(Map.of("a", 1L), known);
        IdempotencyToken of = IdempotencyToken.random();
        sequence().append(Map.of(), of);
        if (refusesToSeal(sequence)) {
            return;
        }
        Seal seal = elsewhere(sequence).seal(ELSEWHERE);
        List<NameState> sealed = states(Kind.SEQUENCE, List.of(sequence.name()));
        awaitNextMillisecond();
        List<AppendRequest> requests = List.of(
                new AppendRequest(Change.ADDED, null, Map.of(), null),
                new AppendRequest(Change.ADDED, null, Map.of("a", 2L), known),
                new AppendRequest(Change.ADDED, "live", Map.of(), null),
                new AppendRequest(Change.UPDATED, "absent", Map.of(), IdempotencyToken.random()),
                new AppendRequest(Change.UPDATED, "live", Map.of(), IdempotencyToken.random()),
                new AppendRequest(Change.ADDED, null, Map.of(), of));
        List<Result<Entry>> alone = new ArrayList<>();
        requests.forEach(request ->
                alone.addAll(Batches.append(backend.sequences(), sequence.name(), List.of(request), this::commit)));
        List<Result<Entry>> together = Batches.append(backend.sequences(), sequence.name(), requests, this::commit);
        for (List<Result<Entry>> results : List.of(alone, together)) {
            for (int i = 0; i < requests.size(); i++) {
                String label = (results == alone ? "alone, " : "in a batch, ") + requests.get(i);
                CounterException failure = results.get(i).failure();
                if (i == 1) {
                    assertThat(results.get(i).orThrow()).as(label).isEqualTo(before);
                } else if (i == 5) {
                    assertThat(failure).as(label).isInstanceOf(TokenRefusedException.class);
                } else {
                    assertThat(failure)
                            .as(label)
                            .isInstanceOfSatisfying(
                                    SealedException.class, refusal -> assertRefused(refusal, sequence.name(), seal));
                }
            }
        }
        assertThat(SequenceHistory.numbersIn(elsewhere(sequence))).containsExactly(1L, 2L);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> sequence.seal("somewhere else"))
                .satisfies(refusal -> assertRefused(refusal, sequence.name(), seal));
        assertUnused(
                ChangeTarget.sequence(sequence.name()),
                commit -> backend.sequences().seal(sequence.name(), "somewhere else", commit));
        assertThat(states(Kind.SEQUENCE, List.of(sequence.name())))
                .as("the state of a sealed sequence after refusals")
                .isEqualTo(sealed);
        IdempotencyToken refused = Objects.requireNonNull(requests.get(3).token());
        Sequence other = sequence();
        assertThat(other.append(Map.of(), refused).number())
                .as("the number of an append with the token of an earlier append that a seal refused")
                .isOne();
        AppendRequest repeated = new AppendRequest(Change.ADDED, null, Map.of(), refused);
        Batches.append(backend.sequences(), other.name(), List.of(repeated), this::commit);
        assertThat(elsewhere(other).last())
                .as("the last number after that append was repeated in the process that refused the earlier one")
                .isOne();
    }

    @Test
    @Rule(
            value = "11.13",
            lookAt =
                    "what a refused change leaves in the store: its token, that of its commit, a row of an absent name,"
                            + " another time of the seal; whose seal a refusal in a batch contains")
    final void spec1113_refusalHasItsOwnSealAndChangesNothing() {
        if (refusesToSeal(counter(1))) {
            return;
        }
        CounterBackend backend = backend();
        Counter absent = counter();
        List<Counter> sealed = List.of(counter(3), absent, counter(-4));
        List<String> names = sealed.stream().map(Counter::name).toList();
        List<Seal> seals = new ArrayList<>();
        for (Counter counter : sealed) {
            seals.add(elsewhere(counter).seal(ELSEWHERE + seals.size()));
        }
        List<NameState> before = states(Kind.COUNTER, names);
        List<IdempotencyToken> tokens = List.of(IdempotencyToken.random(), IdempotencyToken.random());
        List<AddRequest> requests = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            requests.add(new AddRequest(names.get(i), 1, i < 2 ? tokens.get(i) : null));
        }
        BatchLimits limits = backend.counters().limits();
        boolean isAlone = limits.onePerName()
                || Batches.room(limits, backend.counters().weight(requests.get(0))) < requests.size();
        List<Result<Void>> refusals = new ArrayList<>();
        for (List<AddRequest> batch : isAlone ? requests.stream().map(List::of).toList() : List.of(requests)) {
            refusals.addAll(Batches.add(backend.counters(), batch, this::commit));
        }
        awaitNextMillisecond();
        for (int i = 0; i < names.size(); i++) {
            Seal seal = seals.get(i);
            Counter counter = sealed.get(i);
            assertThat(refusals.get(i).failure())
                    .as("the refusal of an add to sealed counter %s", i + 1)
                    .isInstanceOfSatisfying(
                            SealedException.class, refusal -> assertRefused(refusal, counter.name(), seal));
            for (Runnable change : List.<Runnable>of(
                    counter::increment, counter::reset, counter::delete, () -> counter.seal("somewhere else"))) {
                assertThatExceptionOfType(SealedException.class)
                        .isThrownBy(change::run)
                        .satisfies(refusal -> assertRefused(refusal, counter.name(), seal));
            }
        }
        String refusing = names.get(0);
        ChangeTarget target = ChangeTarget.counter(refusing);
        assertUnused(target, commit -> backend.counters().seal(refusing, "somewhere else", commit));
        assertUnused(target, commit -> backend.counters().reset(refusing, commit));
        assertUnused(target, commit -> backend.counters().delete(refusing, commit));
        assertThat(states(Kind.COUNTER, names)).as("the states after refusals").isEqualTo(before);
        assertThat(ListedNames.ofCounters(there(), absent.name()))
                .as("the listed names")
                .isEmpty();
        Counter other = counter();
        other.add(7, tokens.get(0));
        Batches.add(backend.counters(), List.of(new AddRequest(other.name(), 7, tokens.get(0))), this::commit);
        assertThat(elsewhere(other).get())
                .as("the total after an add with the token of an earlier add that a seal refused, sent twice")
                .isEqualTo(7);
        assertThat(there().resolve(tokens.get(1)))
                .as("the resolution of the token of an add that a seal refused")
                .isEqualTo(new Resolution.NotApplied());
        if (!isAlone) {
            assertRefusedCommitIsUnused(backend, names.get(2));
        }
    }

    private static void assertRefused(SealedException refusal, String name, Seal seal) {
        assertThat(refusal.seal()).as("the seal in the refusal").isEqualTo(seal);
        assertThat(refusal)
                .as("the refusal, whose message has to contain the sealed name")
                .hasMessageContaining("'" + name + "'");
    }

    /** Checks the token of a commit of two adds, one of which a seal refuses, so that the other one is sent again. */
    private void assertRefusedCommitIsUnused(CounterBackend backend, String sealed) {
        String other = name();
        Commit commit = commit();
        IdempotencyToken token = commit.token();
        List<Result<Void>> results = backend.counters()
                .add(List.of(new AddRequest(other, 5, null), new AddRequest(sealed, 1, null)), commit)
                .join();
        Resolution resolution =
                backend().resolve(token, ChangeTarget.counter(other), commit()).join();
        assertThat(List.of(results.get(0).isApplied(), resolution.applied()))
                .as("whether an add is reported as applied whose commit contains another add that a seal refused, and"
                        + " whether that commit resolves as applied; the total decides both")
                .containsOnly(here().counter(other).get() == 5);
    }

    private List<NameState> states(Kind kind, List<String> names) {
        return backend().migration().states(kind, names, commit()).join();
    }

    private static void awaitNextMillisecond() {
        long then = Instant.now().toEpochMilli();
        while (Instant.now().toEpochMilli() <= then) {
            Thread.onSpinWait();
        }
    }

    /** Checks that a change that a seal refuses does not use the token of its commit. */
    private void assertUnused(ChangeTarget target, Function<Commit, CompletableFuture<?>> change) {
        Commit commit = commit();
        IdempotencyToken token = commit.token();
        assertThatExceptionOfType(SealedException.class).isThrownBy(() -> Futures.join(change.apply(commit)));
        assertThat(Futures.join(backend().resolve(token, target, commit())))
                .as("the resolution of the commit of a change that a seal refused")
                .isEqualTo(new Resolution.NotApplied());
    }
}
