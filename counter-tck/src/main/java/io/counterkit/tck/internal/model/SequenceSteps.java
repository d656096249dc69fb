package io.counterkit.tck.internal.model;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.SequenceStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The changes of one sequence. */
final class SequenceSteps {
    /** An append that does not fit, since no entry has this subject. */
    private static final AppendRequest REFUSED = new AppendRequest(Change.UPDATED, "unknown", Map.of(), null);

    private SequenceSteps() {}

    static List<Step> all() {
        return List.of(
                importing(true, 2, 3),
                importing(true, 0, 1),
                importing(false, 0, 0),
                append("an append", Change.ADDED, false, false),
                append("an append with a token", Change.ADDED, false, true),
                append("an addition with that token", Change.ADDED, true, true),
                append("an addition", Change.ADDED, true, false),
                append("an update", Change.UPDATED, true, false),
                append("a removal", Change.REMOVED, true, false),
                Step.resolution(),
                Step.resolutionOfACommit(name -> ChangeTarget.append(name, 0)),
                erasure(1),
                erasure(2),
                seal('a'),
                seal('A'),
                importSubject(true),
                importSubject(false),
                copy(1),
                copy(2));
    }

    private static Step append(String label, Change change, boolean hasSubject, boolean hasToken) {
        return Step.of(label, turn -> {
                    AppendRequest request = new AppendRequest(
                            change,
                            hasSubject ? turn.subject() : null,
                            Map.of(label, true),
                            hasToken ? turn.token() : null);
                    Object answer = turn.make(
                            ChangeTarget.append(turn.name(), 0), !hasToken, commit -> send(turn, request, commit));
                    Instant then = answer instanceof Entry entry ? entry.appendedAt() : Instant.EPOCH;
                    return turn.check(answer, turn.sequence().append(request, then));
                })
                .as(hasToken ? Step.Role.DEPENDENT : Step.Role.OTHER);
    }

    /**
     * Sends an append alone, or in a batch with one that is refused. An append of a batch may have to be sent again in
     * another commit. If the token of its commit is to be resolved later, the batch is sent only for an append that has
     * a token of its own.
     */
    private static CompletableFuture<@Nullable Entry> send(Step.Turn turn, AppendRequest request, Commit commit) {
        SequenceStore sequences = turn.process().sequences();
        BatchLimits limits = sequences.limits();
        List<AppendRequest> batch = turn.applied() != null && request.token() == null
                ? List.of(request)
                : turn.batch(
                        request,
                        REFUSED,
                        both -> limits.direct()
                                || both.stream().mapToInt(sequences::weight).sum() <= limits.maxWeight());
        int place = batch.indexOf(request);
        return sequences
                .append(turn.name(), batch, commit)
                .thenCompose(results -> results.get(place).isRetry()
                        ? sequences
                                .append(turn.name(), List.of(request), turn.commit())
                                .thenApply(Answers::only)
                        : CompletableFuture.completedFuture(Answers.only(results, place)));
    }

    /** Returns series that leave an entry with a token in a sequence: in a new one, and after an import and a copy. */
    static List<List<Step>> used() {
        Step append = append("an append with a token", Change.ADDED, false, true);
        return List.of(List.of(append), List.of(importing(true, 2, 3), copy(1), importSubject(true), append));
    }

    private static Step erasure(long number) {
        return Step.of("an erasure of entry " + number, turn -> {
            Object answer = turn.make(
                    ChangeTarget.sequence(turn.name()),
                    turn.sequence().hasFields(number),
                    commit -> turn.process().sequences().erase(turn.name(), number, commit));
            return turn.check(answer, turn.sequence().erase(number));
        });
    }

    private static Step seal(char to) {
        return Step.with(Capability.SEAL_SEQUENCES, "a seal to " + to, turn -> {
                    Object answer = turn.make(
                            ChangeTarget.sequence(turn.name()),
                            turn.sequence().seal == null,
                            commit -> turn.process().sequences().seal(turn.name(), turn.place(to), commit));
                    return turn.check(answer, turn.sequence().seal(turn.place(to)));
                })
                .as(Step.Role.SEAL);
    }

    private static Step importing(boolean isPresent, long liveCount, long last) {
        return Step.with(
                        Capability.IMPORT,
                        isPresent
                                ? "an import of " + last + " entries, " + liveCount + " of them live"
                                : "an import as absent",
                        turn -> {
                            ImportedState base = new ImportedState(turn.place('a'), isPresent, liveCount, last);
                            return turn.check(
                                    () -> turn.process()
                                            .migration()
                                            .importBase(Kind.SEQUENCE, turn.name(), base, turn.commit()),
                                    turn.sequence().importBase(base));
                        })
                .as(Step.Role.IMPORT);
    }

    private static Step importSubject(boolean isLive) {
        return Step.with(
                Capability.IMPORT,
                "an import of a subject that is " + (isLive ? "live" : "not live"),
                turn -> turn.sequence().isImported()
                        && turn.check(
                                () -> turn.process()
                                        .migration()
                                        .importSubject(turn.name(), turn.subject(), isLive, turn.commit()),
                                turn.sequence().importSubject(turn.subject(), isLive)));
    }

    /** Returns copies of several entries, some of which are present or have too high a number, and further erasures. */
    static List<Step> further() {
        return List.of(copy(1, 2), copy(2, 1), copy(2, 9), erasure(3), erasure(10));
    }

    private static Step copy(long... numbers) {
        return Step.with(Capability.IMPORT, "a copy of entries " + Arrays.toString(numbers), turn -> {
            List<Entry> entries = Arrays.stream(numbers)
                    .mapToObj(number -> copied(number, turn.subject()))
                    .toList();
            return turn.sequence().isImported()
                    && turn.check(
                            () -> turn.process().migration().copy(turn.name(), entries, turn.commit()),
                            turn.sequence().copy(entries));
        });
    }

    private static Entry copied(long number, String subject) {
        return new Entry(
                number,
                Instant.parse("2009-11-16T08:09:10.123Z"),
                number == 1 ? Change.ADDED : Change.REMOVED,
                subject,
                number == 1 ? Map.of("copy", 1L) : Map.of(),
                number,
                number == 2);
    }
}
