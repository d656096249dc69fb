package io.counterkit.tck.chapter.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Result;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import io.counterkit.tck.internal.fault.TimeBox.TimedTrial;
import io.counterkit.tck.internal.fault.Trial;
import io.counterkit.tck.internal.model.SequenceHistory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Chapter 4, continued: concurrent batches of appends, and concurrent changes of several names with one token. */
public abstract class BatchRacesChapter extends Chapter {
    private static final int ROUNDS = 16;
    private static final int CALLERS = 4;
    private static final int COUNTERS = 2;
    private static final int SHARED = 3;
    private static final int MOST_BATCHES = 20;
    private static final int MOST_POLLS = 100;

    /** The smallest number of trials on a slow store. */
    private static final int LEAST = 4;

    @Test
    @Rule(
            value = "4.9",
            lookAt = "whether a batch of several appends looks for tokens, seal and subjects in the step that appends")
    final void spec409_concurrentBatchesOfAppendsHaveAnOrder() throws Exception {
        List<CounterBackend> processes = List.of(backend(), backend());
        List<TimedTrial> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            boolean isSealed = round % 2 == 1 && declares(Capability.SEAL_SEQUENCES);
            rounds.add(() -> race(processes, isSealed));
        }
        timeBox.runBriefly(rounds, LEAST);
    }

    /** Callers of two processes send the same appends with tokens in different orders, and others of their own. */
    private void race(List<CounterBackend> processes, boolean isSealed) throws Exception {
        Sequence sequence = sequence();
        String name = sequence.name();
        List<AppendRequest> shared = Stream.generate(
                        () -> new AppendRequest(Change.ADDED, null, Map.of(), IdempotencyToken.random()))
                .limit(SHARED)
                .toList();
        Queue<Result<Entry>> further = new ConcurrentLinkedQueue<>();
        List<List<Result<Entry>>> results = tasks().callAtOnce(CALLERS + (isSealed ? 1 : 0), caller -> {
            if (caller == CALLERS) {
                for (int poll = 0; poll < MOST_POLLS && sequence.last() < CALLERS; poll++) {
                    Thread.onSpinWait(); // so that the batches have begun
                }
                there().sequence(name).seal("elsewhere");
                return List.of();
            }
            List<AppendRequest> requests = new ArrayList<>(shared);
            Collections.rotate(requests, caller);
            requests.add(caller % 3, new AppendRequest(Change.ADDED, "s", Map.of(), null));
            requests.add(new AppendRequest(Change.ADDED, null, Map.of(), null));
            List<Result<Entry>> sent =
                    Batches.append(processes.get(caller % 2).sequences(), name, requests, this::commit);
            Result<Entry> own = sent.remove(sent.size() - 1);
            Result<Entry> added = sent.remove(caller % 3);
            Collections.rotate(sent, -caller);
            sent.add(added);
            sent.add(own);
            boolean isOpen = isSealed;
            for (int batch = 0; isOpen && batch < MOST_BATCHES; batch++) {
                List<Result<Entry>> more = Batches.append(
                        processes.get(caller % 2).sequences(),
                        name,
                        Collections.nCopies(2, new AppendRequest(Change.ADDED, null, Map.of(), null)),
                        this::commit);
                further.addAll(more);
                isOpen = more.stream().allMatch(Result::isApplied);
            }
            return sent;
        });
        List<Result<Entry>> applied =
                new ArrayList<>(further.stream().filter(Result::isApplied).toList());
        for (int request = 0; request < SHARED + 2; request++) {
            int place = request;
            List<Result<Entry>> same = results.stream()
                    .filter(sent -> !sent.isEmpty())
                    .map(sent -> sent.get(place))
                    .toList();
            if (request < SHARED) {
                assertThat(same.stream()
                                .filter(Result::isApplied)
                                .map(Result::orThrow)
                                .distinct())
                        .as("the entries of one token in concurrent batches: %s", same)
                        .hasSizeLessThanOrEqualTo(1);
                assertThat(same.stream().map(Result::isApplied).distinct())
                        .as(
                                "whether the appends of one token in concurrent batches were applied, which has to be"
                                        + " the same for all of them, even if a seal comes between: %s",
                                same)
                        .hasSizeLessThanOrEqualTo(1);
                same.stream().filter(Result::isApplied).findFirst().ifPresent(applied::add);
            } else {
                same.stream().filter(Result::isApplied).forEach(applied::add);
            }
            assertThat(same)
                    .as("the results of one request in concurrent batches")
                    .allSatisfy(result -> assertThat(result.isApplied()
                                    || (isSealed && result.failure() instanceof SealedException)
                                    || (place == SHARED && result.failure() instanceof ChangeRefusedException))
                            .as("whether the result %s is applied or a possible refusal", result)
                            .isTrue());
        }
        assertThat(results.stream()
                        .filter(sent -> !sent.isEmpty() && sent.get(SHARED).isApplied()))
                .as("the applied appends that add the same subject")
                .hasSizeLessThanOrEqualTo(1);
        List<Entry> entries = SequenceHistory.all(sequence);
        assertThat(entries)
                .as("the entries")
                .containsExactlyInAnyOrderElementsOf(
                        applied.stream().map(Result::orThrow).toList());
        assertThat(entries).extracting(Entry::number).isEqualTo(SequenceHistory.firstNumbers(entries.size()));
        assertLast(sequence, entries.size());
        if (isSealed) {
            assertThat(sequence.seal("elsewhere").last())
                    .as("the last number of the seal")
                    .isEqualTo(entries.size());
        } else {
            assertThat(entries).as("the entries").hasSize(SHARED + 1 + CALLERS);
        }
    }

    @Test
    @Rule(
            value = "4.10",
            lookAt = "what locks a token: its own key, and not only the counter or sequence that it is used for")
    final void spec410_oneTokenAtOnceIsForOneName() throws Exception {
        List<TimedTrial> trials = new ArrayList<>();
        for (int trial = 0; trial < ROUNDS; trial++) {
            int first = trial % CALLERS;
            trials.add(this::raceForAToken);
            trials.add(() -> lateForAToken(first));
        }
        timeBox.runBriefly(trials, LEAST);
    }

    /** Counters and sequences of two processes that use one token. */
    private record Users(List<String> names, IdempotencyToken token, Counters here, Counters there) {
        /** Makes a change with the token. Returns whether it was applied. */
        boolean use(int user) {
            Counters process = user % 2 == 0 ? here : there;
            String name = names.get(user);
            try {
                if (user < COUNTERS) {
                    process.counter(name).add(1, token);
                } else {
                    process.sequence(name).append(Map.of(), token);
                }
                return true;
            } catch (NotAppliedException e) {
                return false;
            }
        }

        void check(List<Boolean> applied, String how) {
            for (int user = 0; user < CALLERS; user++) {
                String name = names.get(user);
                long changes = user < COUNTERS
                        ? there.counter(name).get()
                        : there.sequence(name).last();
                assertThat(changes)
                        .as(
                                "changes of %s with one token, %s, reported as applied: %s; the number of changes of"
                                        + " '%s'",
                                names, how, applied, name)
                        .isEqualTo(applied.get(user) ? 1 : 0);
            }
            assertThat(applied)
                    .as("changes of several names with one token, %s: which of them were reported as applied", how)
                    .containsOnlyOnce(true);
            int winner = applied.indexOf(true);
            String name = names.get(winner);
            assertThat(here.resolve(token))
                    .isEqualTo(winner < COUNTERS ? new Resolution.Added(name, 1) : new Resolution.Appended(name, 1));
        }
    }

    private Users users() {
        return new Users(
                Stream.generate(this::name).limit(CALLERS).toList(), IdempotencyToken.random(), here(), there());
    }

    private void raceForAToken() throws Exception {
        Users users = users();
        users.check(tasks().callAtOnce(CALLERS, users::use), "sent concurrently");
    }

    /** Holds each call of one change in turn, while the others are carried out. */
    private void lateForAToken(int first) throws Exception {
        boolean isHeld = true;
        for (int call = 1; isHeld; call++) {
            Users users = users();
            List<Future<Boolean>> uses = new ArrayList<>();
            try (Trial held = tasks().hold(call)) {
                Future<Boolean> sending = tasks().start(() -> users.use(first));
                isHeld = held.awaitHit(sending::isDone);
                for (int user = 0; user < CALLERS; user++) {
                    int other = user;
                    uses.add(user == first ? sending : tasks().start(() -> users.use(other)));
                }
                ConcurrentTasks.awaitBriefly(
                        () -> uses.stream().filter(Future::isDone).count() >= CALLERS - 1);
            }
            List<Boolean> applied = new ArrayList<>();
            for (Future<Boolean> use : uses) {
                applied.add(ConcurrentTasks.result(use));
            }
            users.check(applied, "change " + (first + 1) + " held at call " + call);
        }
    }
}
