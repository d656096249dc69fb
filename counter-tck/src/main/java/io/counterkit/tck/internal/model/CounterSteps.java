package io.counterkit.tck.internal.model;

import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Limits;
import java.util.List;

/** The changes of one counter. */
final class CounterSteps {
    private CounterSteps() {}

    static List<Step> all() {
        return List.of(
                importing(new ImportedState("origin", true, Limits.MAX_TOTAL, 0)),
                importing(new ImportedState("origin", true, (1L << 53) + 9, 0)),
                importing(new ImportedState("other", true, -3, 0)),
                importing(new ImportedState("origin", false, 0, 0)),
                add(5, false),
                add(-8, false),
                add(0, false),
                add(3, true),
                add(4, true),
                Step.resolution(),
                Step.of(
                        "a reset",
                        turn -> turn.check(
                                () -> turn.process().counters().reset(turn.name(), turn.commit()),
                                turn.counter().reset())),
                Step.of(
                        "a deletion",
                        turn -> turn.check(
                                () -> turn.process().counters().delete(turn.name(), turn.commit()),
                                turn.counter().delete())),
                seal("elsewhere"),
                seal("Elsewhere"));
    }

    private static Step add(long delta, boolean hasToken) {
        return Step.of("an add of " + delta + (hasToken ? " with a token" : ""), turn -> {
            AddRequest request = new AddRequest(turn.name(), delta, hasToken ? turn.token() : null);
            return turn.check(
                    () -> turn.process()
                            .counters()
                            .add(List.of(request), turn.commit())
                            .thenApply(Answers::only),
                    turn.counter().add(delta, request.token()));
        });
    }

    private static Step seal(String forward) {
        return Step.with(Capability.SEAL_COUNTERS, "a seal to " + forward, turn -> {
            CounterModel counter = turn.counter();
            boolean hasNoTotal = counter.seal == null && !counter.isInRange();
            Object answer = turn.answer(() -> turn.process().counters().seal(turn.name(), forward, turn.commit()));
            Object expected = counter.seal(forward);
            if (hasNoTotal && answer instanceof Seal seal) { // which has some total, but always the same
                counter.seal = new Seal(forward, seal.last(), seal.liveCount());
                expected = counter.seal;
            }
            Answers.check(answer, expected, turn.doing());
            return true;
        });
    }

    private static Step importing(ImportedState base) {
        return Step.with(
                Capability.IMPORT,
                base.isPresent() ? "an import of " + base.value() : "an import as absent",
                turn -> !turn.counter().isDeleted
                        && turn.check(
                                () -> turn.process()
                                        .migration()
                                        .importBase(Kind.COUNTER, turn.name(), base, turn.commit()),
                                turn.counter().importBase(base)));
    }
}
