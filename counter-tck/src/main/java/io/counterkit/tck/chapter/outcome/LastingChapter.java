package io.counterkit.tck.chapter.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.TokenRefusedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Futures;
import io.counterkit.spi.Limits;
import io.counterkit.spi.SequenceStore;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Changes;
import io.counterkit.tck.internal.fault.FaultPlan;
import io.counterkit.tck.internal.fault.Operation;
import io.counterkit.tck.internal.fault.Part;
import io.counterkit.tck.internal.fault.Stage;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 5, continued: outcomes after later changes, and after the process has ended. */
public abstract class LastingChapter extends Chapter {
    private static final Duration SOON = Duration.ofMillis(200);
    private static final String ELSEWHERE = "elsewhere";

    /** More tokens than a small cache holds. On a slow store, as many as are used in {@link #LONG}. */
    private static final int MANY = 12_000;

    private static final int AT_ONCE = 40;
    private static final long LONG = TimeUnit.SECONDS.toNanos(2);

    /** The tokens of the commits that changed one name, in their order, and the target of each. */
    private static final class Commits {
        private final Map<IdempotencyToken, ChangeTarget> targets = new LinkedHashMap<>();

        void make(Commit commit, ChangeTarget target, CompletableFuture<?> change) {
            change.join();
            targets.put(commit.token(), target);
        }
    }

    @Test
    @Rule(
            value = "5.23",
            lookAt = "where the token of a commit is kept: a later change of the same name must not overwrite it")
    final void spec523_commitsAreKnownAfterLaterChanges() {
        CounterBackend acting = backend();
        CounterBackend other = backend();
        String counter = name();
        Commits ofCounter = new Commits();
        for (int round = 0; round < 2; round++) {
            CounterStore counters = (round == 0 ? acting : other).counters();
            add(ofCounter, counters, counter);
            add(ofCounter, counters, counter);
            Commit reset = made();
            ofCounter.make(reset, ChangeTarget.counter(counter), counters.reset(counter, reset));
            add(ofCounter, counters, counter);
            Commit deletion = made();
            ofCounter.make(deletion, ChangeTarget.counter(counter), counters.delete(counter, deletion));
            add(ofCounter, counters, counter);
        }
        if (declares(Capability.SEAL_COUNTERS)) {
            Commit seal = made();
            ofCounter.make(
                    seal, ChangeTarget.counter(counter), acting.counters().seal(counter, ELSEWHERE, seal));
        }
        String sequence = name();
        Commits ofSequence = new Commits();
        List<IdempotencyToken> appends = new ArrayList<>();
        for (int number = 1; number <= 4; number++) {
            SequenceStore sequences = (number % 2 == 0 ? acting : other).sequences();
            Commit append = made();
            AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of("secret", "x"), null);
            ofSequence.make(
                    append, ChangeTarget.append(sequence, 0), sequences.append(sequence, List.of(request), append));
            appends.add(append.token());
        }
        for (int number = 1; number <= 3; number++) {
            Commit erasure = made();
            SequenceStore sequences = (number % 2 == 0 ? acting : other).sequences();
            ofSequence.make(erasure, ChangeTarget.sequence(sequence), sequences.erase(sequence, number, erasure));
        }
        if (declares(Capability.SEAL_SEQUENCES)) {
            Commit seal = made();
            ofSequence.make(
                    seal, ChangeTarget.sequence(sequence), acting.sequences().seal(sequence, ELSEWHERE, seal));
            Commit erasure = made();
            ofSequence.make(
                    erasure, ChangeTarget.sequence(sequence), other.sequences().erase(sequence, 4, erasure));
        }
        checkApplied(ofCounter, appends);
        checkApplied(ofSequence, appends);
    }

    private Commit made() {
        Commit commit = commit();
        assertThat(commit.token()).isNotNull();
        return commit;
    }

    private void add(Commits commits, CounterStore counters, String name) {
        Commit add = made();
        commits.make(add, ChangeTarget.counter(name), counters.add(List.of(new AddRequest(name, 1, null)), add));
    }

    /** Resolves the commits in a process that made none of them. */
    private void checkApplied(Commits commits, List<IdempotencyToken> appends) {
        CounterBackend resolving = backend();
        int place = 0;
        for (Map.Entry<IdempotencyToken, ChangeTarget> commit : commits.targets.entrySet()) {
            place++;
            Resolution resolution = resolving
                    .resolve(commit.getKey(), commit.getValue(), commit())
                    .join();
            String label = "the resolution of change " + place + " of " + commits.targets.size() + " of '"
                    + commit.getValue().name() + "', after the others";
            assertThat(resolution.applied()).as(label).isTrue();
            if (commit.getValue().isAppend()) {
                assertThat(resolution)
                        .as(label)
                        .isEqualTo(new Resolution.Appended(
                                commit.getValue().name(), appends.indexOf(commit.getKey()) + 1L));
            }
        }
    }

    @Test
    @Rule(
            value = "5.24",
            lookAt = "what is sent when a process is closed: no change whose outcome was reported may be sent again")
    final void spec524_closeChangesNoReportedOutcome() throws Exception {
        Counters acting = impatient(SOON);
        Stage stage = stage(acting, Duration.ofSeconds(1));
        Trials trials = new Trials(stage);
        List<TimedTrial> changes = new ArrayList<>();
        for (Operation<List<Part>> operation : possible(Changes.all())) {
            List<FaultPlan> plans = new ArrayList<>(FaultPlan.single());
            plans.add(FaultPlan.outages().get(random.nextInt(FaultPlan.outages().size())));
            for (FaultPlan plan : plans) {
                changes.add(() -> trials.change(
                        operation.label() + ", " + plan.label() + " at call 1, then closed",
                        operation.on(stage),
                        inject(plan, 1)));
            }
        }
        timeBox.run(changes, changes.size(), random);
        try {
            acting.close();
        } catch (OutcomeUnknownException e) {
            assertThat(e.token()).as("a token of the changes in flight").isNotNull();
        }
        stage.actingBackend().close();
        trials.checkAgain();
    }

    @Test
    @Rule(
            value = "5.25",
            lookAt = "how many decisions, tokens of appends and tokens of commits are kept, and where: in the store,"
                    + " not in a cache; the retention that the backend states")
    final void spec525_manyDecisionsAndCommitsAreRemembered() {
        Counter counter = counter();
        Sequence sequence = sequence();
        CounterBackend backend = backend();
        assertThat(backend.retention())
                .as("the retention that the backend states")
                .isBetween(Limits.MIN_RETENTION, Limits.MAX_RETENTION);
        List<IdempotencyToken> never = new ArrayList<>();
        List<IdempotencyToken> appended = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        List<IdempotencyToken> commits = new ArrayList<>();
        long start = System.nanoTime();
        while (never.size() < MANY && System.nanoTime() - start < LONG) {
            List<IdempotencyToken> tokens =
                    Stream.generate(IdempotencyToken::random).limit(AT_ONCE).toList();
            Futures.join(
                    Futures.all(tokens.stream().map(there().async()::resolve).toList()));
            never.addAll(tokens);
            tokens = Stream.generate(IdempotencyToken::random).limit(AT_ONCE).toList();
            entries.addAll(Futures.join(Futures.all(tokens.stream()
                    .map(token -> sequence.async().append(Map.of(), token))
                    .toList())));
            appended.addAll(tokens);
            Commit commit = made();
            backend.counters()
                    .add(List.of(new AddRequest(counter.name(), 1, null)), commit)
                    .join();
            commits.add(commit.token());
        }
        for (int i = 0; i < never.size(); i += never.size() / 5) {
            IdempotencyToken token = never.get(i);
            assertThatExceptionOfType(TokenRefusedException.class)
                    .as(
                            "the refusal of an add with token %s of %s that were resolved as not applied",
                            i + 1, never.size())
                    .isThrownBy(() -> counter.add(5, token));
            IdempotencyToken before = appended.get(i);
            assertThat(elsewhere(sequence).append(Map.of("other", 1L), before))
                    .as("the entry that a repeated append with token %s of %s returns", i + 1, never.size())
                    .isEqualTo(entries.get(i));
        }
        CounterBackend other = backend();
        ChangeTarget target = ChangeTarget.counter(counter.name());
        assertThat(other.resolve(commits.get(0), target, commit()).join().applied())
                .as("whether the first of %s commits is resolved as applied", commits.size())
                .isTrue();
        assertTotalElsewhere(counter, commits.size());
        assertLastElsewhere(sequence, entries.size());
    }
}
