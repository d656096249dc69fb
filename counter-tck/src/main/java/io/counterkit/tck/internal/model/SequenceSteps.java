package io.counterkit.tck.internal.model;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes of one sequence. */
final class SequenceSteps {
    static final String SUBJECT = "s";

    private SequenceSteps() {}

    static List<Step> all() {
        return List.of(
                importing(new ImportedState("origin", true, 2, 3)),
                importing(new ImportedState("origin", false, 0, 0)),
                append("an append", Change.ADDED, null, false),
                append("an append with a token", Change.ADDED, null, true),
                append("an addition with that token", Change.ADDED, SUBJECT, true),
                append("an addition", Change.ADDED, SUBJECT, false),
                append("an update", Change.UPDATED, SUBJECT, false),
                append("a removal", Change.REMOVED, SUBJECT, false),
                Step.resolution(),
                erasure(1),
                erasure(2),
                seal("elsewhere"),
                seal("Elsewhere"),
                importSubject(true),
                importSubject(false),
                copy(1),
                copy(2));
    }

    private static Step append(String label, Change change, @Nullable String subject, boolean hasToken) {
        return Step.of(label, turn -> {
            AppendRequest request =
                    new AppendRequest(change, subject, Map.of("label", label), hasToken ? turn.token() : null);
            Object answer = turn.answer(() -> turn.process()
                    .sequences()
                    .append(turn.name(), List.of(request), turn.commit())
                    .thenApply(Answers::only));
            Instant then = answer instanceof Entry entry ? entry.appendedAt() : Instant.EPOCH;
            Answers.check(answer, turn.sequence().append(request, then), turn.doing());
            return true;
        });
    }

    private static Step erasure(long number) {
        return Step.of(
                "an erasure of entry " + number,
                turn -> turn.check(
                        () -> turn.process().sequences().erase(turn.name(), number, turn.commit()),
                        turn.sequence().erase(number)));
    }

    private static Step seal(String forward) {
        return Step.with(
                Capability.SEAL_SEQUENCES,
                "a seal to " + forward,
                turn -> turn.check(
                        () -> turn.process().sequences().seal(turn.name(), forward, turn.commit()),
                        turn.sequence().seal(forward)));
    }

    private static Step importing(ImportedState base) {
        return Step.with(
                Capability.IMPORT,
                base.isPresent() ? "an import of " + base.last() + " entries" : "an import as absent",
                turn -> turn.check(
                        () -> turn.process().migration().importBase(Kind.SEQUENCE, turn.name(), base, turn.commit()),
                        turn.sequence().importBase(base)));
    }

    private static Step importSubject(boolean isLive) {
        return Step.with(
                Capability.IMPORT,
                "an import of a subject that is " + (isLive ? "live" : "not live"),
                turn -> turn.sequence().isOpenImport()
                        && turn.check(
                                () -> turn.process()
                                        .migration()
                                        .importSubject(turn.name(), SUBJECT, isLive, turn.commit()),
                                turn.sequence().importSubject(SUBJECT, isLive)));
    }

    private static Step copy(long number) {
        Entry entry = new Entry(
                number,
                Instant.parse("2009-11-16T08:09:10.123Z"),
                number == 1 ? Change.ADDED : Change.REMOVED,
                SUBJECT,
                number == 1 ? Map.of("copy", 1L) : Map.of(),
                number,
                number == 2);
        return Step.with(
                Capability.IMPORT,
                "a copy of entry " + number,
                turn -> turn.sequence().isOpenImport()
                        && turn.check(
                                () -> turn.process().migration().copy(turn.name(), List.of(entry), turn.commit()),
                                turn.sequence().copy(entry)));
    }
}
