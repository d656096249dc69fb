package io.counterkit.tck.internal.view;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.tck.internal.fault.Outcomes;
import io.counterkit.tck.internal.fault.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change of one name, or of two names in one batch.
 *
 * @param before the state of the name before the change
 * @param target the target of its commit; null if it can be sent again after any outcome
 * @param parts the requests of a batch, if each has a token: those that were not answered are then sent alone
 * @param second returns the other name that it changes, or null if it changes one
 */
record ViewChange(
        String label,
        Set<Capability> needs,
        Before before,
        @Nullable Function<String, ChangeTarget> target,
        Sent sent,
        List<Sent> parts,
        @Nullable UnaryOperator<String> second) {
    private static final String ELSEWHERE = "elsewhere";

    private static final ImportedState OF_SEQUENCE = new ImportedState(ELSEWHERE, true, 1, 1);

    private static final Entry COPIED =
            new Entry(1, Instant.EPOCH, Change.ADDED, ViewRead.SUBJECT, Map.of("value", 1L), 1, false);

    private ViewChange(
            String label,
            Set<Capability> needs,
            Before before,
            @Nullable Function<String, ChangeTarget> target,
            Sent sent) {
        this(label, needs, before, target, sent, List.of(), null);
    }

    /** The state of a name before the change. */
    enum Before {
        NOTHING,
        /** A total of 1. */
        TOTAL,
        /** The entry of {@link #appended}. */
        ENTRY,
        /** The state of a sequence with one entry, which is not copied. */
        IMPORT;

        void prepare(Stage stage, String name) {
            CounterBackend process = stage.observingBackend();
            switch (this) {
                case NOTHING -> {}
                case TOTAL -> stage.observing().counter(name).add(1);
                case ENTRY ->
                    process.sequences()
                            .append(name, List.of(appended(name)), stage.commit())
                            .thenApply(ViewChange::succeeded)
                            .join();
                case IMPORT ->
                    process.migration()
                            .importBase(Kind.SEQUENCE, name, OF_SEQUENCE, stage.commit())
                            .join();
            }
        }
    }

    /** Returns the append of an entry that has fields and a token. */
    static AppendRequest appended(String name) {
        return new AppendRequest(Change.ADDED, null, Map.of("secret", "x"), IdempotencyToken.of(name + "/appended"));
    }

    /** Returns the names that it changes. */
    List<String> names(String name) {
        return second == null ? List.of(name) : List.of(name, second.apply(name));
    }

    /** Sends the change. */
    interface Sent {
        CompletableFuture<?> to(CounterBackend process, String name, Commit commit);
    }

    static final ViewChange ADD = new ViewChange(
            "an add",
            Set.of(),
            Before.NOTHING,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters()
                    .add(List.of(new AddRequest(name, 1, null)), commit)
                    .thenApply(ViewChange::succeeded));

    static final ViewChange DELETION = new ViewChange(
            "a deletion",
            Set.of(),
            Before.TOTAL,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().delete(name, commit));

    static final ViewChange RESET = new ViewChange(
            "a reset",
            Set.of(),
            Before.TOTAL,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().reset(name, commit));

    static final ViewChange SEAL_OF_COUNTER = new ViewChange(
            "a seal of a counter",
            Set.of(Capability.SEAL_COUNTERS),
            Before.TOTAL,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().seal(name, ELSEWHERE, commit));

    static final ViewChange APPEND = new ViewChange(
            "an append",
            Set.of(),
            Before.NOTHING,
            name -> ChangeTarget.append(name, 0),
            (process, name, commit) -> process.sequences()
                    .append(
                            name,
                            List.of(new AppendRequest(Change.ADDED, ViewRead.SUBJECT, Map.of("value", 1L), null)),
                            commit)
                    .thenApply(ViewChange::succeeded));

    static final ViewChange SEAL_OF_SEQUENCE = new ViewChange(
            "a seal of a sequence",
            Set.of(Capability.SEAL_SEQUENCES),
            Before.NOTHING,
            ChangeTarget::sequence,
            (process, name, commit) -> process.sequences().seal(name, ELSEWHERE, commit));

    static final ViewChange ERASURE = new ViewChange(
            "an erasure",
            Set.of(),
            Before.ENTRY,
            ChangeTarget::sequence,
            (process, name, commit) -> process.sequences().erase(name, 1, commit));

    static final ViewChange COPY = new ViewChange(
            "a copy of an entry",
            Set.of(Capability.IMPORT),
            Before.IMPORT,
            null,
            (process, name, commit) -> process.migration().copy(name, List.of(COPIED), commit));

    static final ViewChange IMPORT_OF_SUBJECT = new ViewChange(
            "an import of a subject",
            Set.of(Capability.IMPORT),
            Before.IMPORT,
            null,
            (process, name, commit) -> process.migration().importSubject(name, ViewRead.SUBJECT, true, commit));

    static final ViewChange IMPORT_OF_COUNTER = importing(Kind.COUNTER, new ImportedState(ELSEWHERE, true, 1, 0));

    static final ViewChange IMPORT_OF_SEQUENCE = importing(Kind.SEQUENCE, OF_SEQUENCE);

    private static ViewChange importing(Kind kind, ImportedState base) {
        return new ViewChange(
                kind == Kind.COUNTER ? "an import of a counter" : "an import of a sequence",
                Set.of(Capability.IMPORT),
                Before.NOTHING,
                null,
                (process, name, commit) -> process.migration().importBase(kind, name, base, commit));
    }

    static boolean succeeded(List<? extends Result<?>> results) {
        results.forEach(Outcomes::throwUnlessApplied);
        return true;
    }
}
