package io.counterkit.verification.broken.sequence;

import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.CounterException;
import io.counterkit.Entry;
import io.counterkit.NumberRange;
import io.counterkit.Tail;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Gap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Chapter 10: the numbers of sequences. */
public final class SequenceFlaws {
    private SequenceFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("skips a number after a failure", "7.4", "10.14").sequences(SkipsAfterAFailure::new),
                Flaw.that("skips a number after a conflict", "10.2").sequences(Writers::new, SkipsAfterAConflict::new),
                Flaw.that("assigns the same number to two writers", "10.2").sequences(Gap::new, RepeatsANumber::new),
                Flaw.that("assigns numbers from reserved blocks, in reverse order", "10.1", "10.2")
                        .sequences(GivesBlocks::new),
                Flaw.that("writes a batch in reverse order", "10.3").batched().sequences(WritesBackwards::new),
                Flaw.that("omits the last entry of a range", "10.4").sequences(LeavesTheLastOut::new),
                Flaw.that("counts every entry as live", "4.4", "7.4", "10.5").sequences(CountsEveryEntry::new),
                Flaw.that("uses a number for a refused change", "10.6", "10.8").sequences(SkipsForARefusal::new),
                Flaw.that("checks a change in a separate step before it appends", "10.7")
                        .sequences(Judge::new, JudgesFirst::new),
                Flaw.that("fails a whole batch because of one change that does not fit", "10.8")
                        .sequences(FailsAllForOne::new));
    }

    static Result<Entry> numbered(Result<Entry> result, long number) {
        return result.failure() != null ? result : Result.of(numbered(result.orThrow(), number));
    }

    static Entry numbered(Entry entry, long number) {
        return new Entry(
                number,
                entry.appendedAt(),
                entry.change(),
                entry.subject(),
                entry.fields(),
                entry.liveCount(),
                entry.erased());
    }

    /** Stores something invisible instead of an entry. */
    private abstract static class Skips extends ForwardingSequenceStore {
        private static final Map<String, Object> NOTHING = Map.of("nothing", true);

        Skips(SequenceStore store) {
            super(store);
        }

        final CompletableFuture<?> skip(String sequence, Commit commit) {
            return store.append(
                    sequence, List.of(new AppendRequest(Change.UPDATED, null, NOTHING, null)), Commits.another(commit));
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .filter(entry -> !entry.fields().equals(NOTHING))
                            .toList());
        }
    }

    private static final class SkipsAfterAFailure extends Skips {
        SkipsAfterAFailure(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return Futures.recover(
                    store.append(sequence, requests, commit),
                    CounterException.class,
                    failure -> skip(sequence, commit).thenCompose(skipped -> CompletableFuture.failedFuture(failure)));
        }
    }

    /** The number of active writers, and the gap in which they meet. */
    private record Writers(AtomicInteger count, Gap gap) {
        Writers() {
            this(new AtomicInteger(), new Gap());
        }
    }

    private static final class SkipsAfterAConflict extends Skips {
        private final Writers writers;

        SkipsAfterAConflict(SequenceStore store, Writers writers) {
            super(store);
            this.writers = writers;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            writers.count().incrementAndGet();
            writers.gap().meet();
            boolean conflict = writers.count().getAndDecrement() > 1;
            return conflict
                    ? skip(sequence, commit).thenCompose(skipped -> store.append(sequence, requests, commit))
                    : store.append(sequence, requests, commit);
        }
    }

    private static final class RepeatsANumber extends ForwardingSequenceStore {
        private final Gap gap;

        RepeatsANumber(SequenceStore store, Gap gap) {
            super(store);
            this.gap = gap;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.tail(sequence, commit).thenCompose(tail -> {
                gap.meet();
                return store.append(sequence, requests, commit)
                        .thenApply(results -> List.of(numbered(results.get(0), tail.last() + 1)));
            });
        }
    }

    /** Reserves a block of numbers for each process and assigns its highest number first. */
    private static final class GivesBlocks extends ForwardingSequenceStore {
        private static final int BLOCK = 20;

        GivesBlocks(SequenceStore store) {
            super(store);
        }

        private static long given(long number) {
            long block = (number - 1) / BLOCK;
            return 2 * block * BLOCK + BLOCK + 1 - number;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit)
                    .thenApply(results -> results.stream()
                            .map(result ->
                                    numbered(result, given(result.orThrow().number())))
                            .toList());
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, new NumberRange(1, range.to() + BLOCK), call)
                    .thenApply(entries -> entries.stream()
                            .map(entry -> numbered(entry, given(entry.number())))
                            .filter(entry -> range.contains(entry.number()))
                            .sorted(Comparator.comparingLong(Entry::number))
                            .toList());
        }
    }

    private static final class WritesBackwards extends ForwardingSequenceStore {
        WritesBackwards(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, backwards(requests), commit).thenApply(WritesBackwards::backwards);
        }

        private static <T> List<T> backwards(List<T> list) {
            List<T> backwards = new ArrayList<>(list);
            Collections.reverse(backwards);
            return backwards;
        }
    }

    private static final class LeavesTheLastOut extends ForwardingSequenceStore {
        LeavesTheLastOut(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.stream()
                            .filter(entry -> entry.number() < range.to())
                            .toList());
        }
    }

    private static final class CountsEveryEntry extends ForwardingSequenceStore {
        CountsEveryEntry(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call).thenApply(tail -> new Tail(tail.last(), tail.last(), tail.seal()));
        }
    }

    private static final class SkipsForARefusal extends Skips {
        SkipsForARefusal(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit).thenCompose(results -> {
                boolean refused =
                        results.stream().anyMatch(result -> result.failure() instanceof ChangeRefusedException);
                return refused ? skip(sequence, commit).thenApply(skipped -> results) : Futures.done(results);
            });
        }
    }

    /** The live subjects, and the gap between the check and the append. */
    private record Judge(Set<String> live, Gap gap) {
        Judge() {
            this(ConcurrentHashMap.newKeySet(), new Gap());
        }

        boolean fits(String subject, Change change) {
            return live.contains(subject) != (change == Change.ADDED);
        }

        void note(String subject, Change change) {
            if (change == Change.REMOVED) {
                live.remove(subject);
            } else {
                live.add(subject);
            }
        }
    }

    private static final class JudgesFirst extends ForwardingSequenceStore {
        private final Judge judge;

        JudgesFirst(SequenceStore store, Judge judge) {
            super(store);
            this.judge = judge;
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            AppendRequest revision = requests.get(0);
            if (revision.subject() == null) {
                return store.append(sequence, requests, commit);
            }
            String subject = sequence + " " + revision.subject();
            if (!judge.fits(subject, revision.change())) {
                return Futures.done(List.of(Result.failed(new ChangeRefusedException(subject))));
            }
            judge.gap().meet();
            judge.note(subject, revision.change());
            AppendRequest judged = new AppendRequest(revision.change(), null, revision.fields(), revision.token());
            return store.append(sequence, List.of(judged), commit);
        }
    }

    private static final class FailsAllForOne extends ForwardingSequenceStore {
        FailsAllForOne(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Entry>>> append(
                String sequence, List<AppendRequest> requests, Commit commit) {
            return store.append(sequence, requests, commit)
                    .thenApply(results -> results.stream()
                            .map(Result::failure)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .map(failure -> failed(failure, results.size()))
                            .orElse(results));
        }

        private static List<Result<Entry>> failed(CounterException failure, int count) {
            return Collections.nCopies(count, Result.failed(failure));
        }
    }
}
