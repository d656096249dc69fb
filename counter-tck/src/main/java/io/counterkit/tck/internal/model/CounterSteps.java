package io.counterkit.tck.internal.model;

import io.counterkit.IdempotencyToken;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.CounterStore.FastPath;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The changes of one counter. */
final class CounterSteps {
    private CounterSteps() {}

    static List<Step> all() {
        return List.of(
                importing('a', true, Limits.MAX_TOTAL),
                importing('a', true, (1L << 53) + 9),
                importing('b', true, -3),
                importing('b', true, -Limits.MAX_TOTAL),
                importing('a', true, 0),
                importing('a', false, 0),
                add(5, false),
                add(-8, false),
                add(0, false),
                add(3, true),
                add(4, true),
                Step.resolution(),
                Step.resolutionOfACommit(ChangeTarget::counter),
                clearing("a reset", CounterStore::reset, CounterModel::reset),
                clearing("a deletion", CounterStore::delete, CounterModel::delete),
                seal('a'),
                seal('A'));
    }

    /** Returns series that leave something in a counter: a token, an imported total, a deletion. */
    static List<List<Step>> used() {
        return List.of(
                List.of(add(3, true)),
                List.of(
                        importing('b', true, -3),
                        add(3, true),
                        clearing("a deletion", CounterStore::delete, CounterModel::delete)));
    }

    /** Returns adds by paths that were opened before other changes. */
    static List<Step> further() {
        return List.of(addByPath(6), addByPath(0), addByPath(-(1L << 53)));
    }

    private static Step addByPath(long delta) {
        return Step.of("an add of " + delta + " by a fast path", turn -> {
                    FastPath path = turn.model().path(turn.process(), turn.name());
                    return path != null
                            && path.tryAdd(delta)
                            && turn.check(Answers.DONE, turn.counter().add(delta, null));
                })
                .as(Step.Role.DEPENDENT);
    }

    private static Step add(long delta, boolean hasToken) {
        return Step.of("an add of " + delta + (hasToken ? " with a token" : ""), turn -> {
                    AddRequest request = new AddRequest(turn.name(), delta, hasToken ? turn.token() : null);
                    CounterStore counters = turn.process().counters();
                    List<AddRequest> batch = turn.applied() != null && !hasToken
                            ? List.of(request)
                            : turn.batch(request, another(turn), sent -> accepts(counters, sent));
                    Object answer = turn.make(
                            ChangeTarget.counter(turn.name()), !hasToken, commit -> send(turn, batch, request, commit));
                    return turn.check(answer, turn.counter().add(delta, request.token()));
                })
                .as(hasToken ? Step.Role.DEPENDENT : Step.Role.OTHER);
    }

    /**
     * Sends an add alone or in a batch, where it may have to be sent again in another commit. If the token of its
     * commit is to be resolved later, the batch is sent only for an add that has a token of its own.
     */
    private static CompletableFuture<@Nullable Void> send(
            Step.Turn turn, List<AddRequest> batch, AddRequest request, Commit commit) {
        CounterStore counters = turn.process().counters();
        int place = batch.indexOf(request);
        return counters.add(batch, commit)
                .thenCompose(results -> results.get(place).isRetry()
                        ? counters.add(List.of(request), turn.commit()).thenApply(Answers::only)
                        : CompletableFuture.completedFuture(Answers.only(results, place)));
    }

    /** Returns an add to a counter that is in no model. */
    private static AddRequest another(Step.Turn turn) {
        UUID unused = UUID.randomUUID();
        return new AddRequest(
                "tck/" + unused, 1, turn.random().nextBoolean() ? IdempotencyToken.of("tck " + unused) : null);
    }

    /** Returns whether a store receives these adds to different counters in one batch. */
    private static boolean accepts(CounterStore counters, List<AddRequest> batch) {
        BatchLimits limits = counters.limits();
        return limits.direct()
                || (!limits.onePerName()
                        && batch.stream().mapToInt(counters::weight).sum() <= limits.maxWeight());
    }

    /** Removes the total of a counter. */
    private interface Clearing {
        CompletableFuture<?> of(CounterStore counters, String name, Commit commit);
    }

    /** Returns a change whose commit is stored if the counter is present. */
    private static Step clearing(String label, Clearing clearing, Function<CounterModel, Object> expected) {
        return Step.of(label, turn -> {
            CounterStore counters = turn.process().counters();
            Object answer = turn.make(
                    ChangeTarget.counter(turn.name()),
                    turn.counter().isPresent,
                    commit -> clearing.of(counters, turn.name(), commit));
            return turn.check(answer, expected.apply(turn.counter()));
        });
    }

    private static Step seal(char to) {
        return Step.with(Capability.SEAL_COUNTERS, "a seal to " + to, turn -> {
                    String forward = turn.place(to);
                    CounterModel counter = turn.counter();
                    boolean hasNoTotal = counter.seal == null && !counter.isInRange();
                    Object answer = turn.make(
                            ChangeTarget.counter(turn.name()),
                            counter.seal == null,
                            commit -> turn.process().counters().seal(turn.name(), forward, commit));
                    Object expected = counter.seal(forward);
                    if (hasNoTotal && answer instanceof Seal seal) { // its total is not specified, but does not change
                        counter.seal = new Seal(forward, seal.last(), seal.liveCount());
                        expected = counter.seal;
                    }
                    return turn.check(answer, expected);
                })
                .as(Step.Role.SEAL);
    }

    private static Step importing(char from, boolean isPresent, long total) {
        return Step.with(Capability.IMPORT, isPresent ? "an import of " + total : "an import as absent", turn -> {
                    ImportedState base = new ImportedState(turn.place(from), isPresent, total, 0);
                    return !turn.counter().isDeleted
                            && turn.check(
                                    () -> turn.process()
                                            .migration()
                                            .importBase(Kind.COUNTER, turn.name(), base, turn.commit()),
                                    turn.counter().importBase(base));
                })
                .as(Step.Role.IMPORT);
    }
}
