package io.counterkit.tck.internal.fault;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Capability;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of one name.
 *
 * @param isOfUsed whether the name has a total of 1 before
 * @param target the target of its commit; null if it can be sent again after any outcome
 * @param parts the requests of a batch, if each has a token: those that were not answered are then sent alone
 */
record ViewChange(
        String label,
        Set<Capability> needs,
        boolean isOfUsed,
        @Nullable Function<String, ChangeTarget> target,
        Sent sent,
        List<Sent> parts) {
    private static final String ELSEWHERE = "elsewhere";

    /** A name as long as those of the trials. */
    private static final String SAMPLE = "n".repeat(80);

    private ViewChange(
            String label,
            Set<Capability> needs,
            boolean isOfUsed,
            @Nullable Function<String, ChangeTarget> target,
            Sent sent) {
        this(label, needs, isOfUsed, target, sent, List.of());
    }

    /** Sends the change. */
    interface Sent {
        CompletableFuture<?> to(CounterBackend process, String name, Commit commit);
    }

    static final ViewChange ADD = new ViewChange(
            "an add",
            Set.of(),
            false,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters()
                    .add(List.of(new AddRequest(name, 1, null)), commit)
                    .thenApply(ViewChange::succeeded));

    static final ViewChange ADDS_AT_ONCE = adds("a batch of adds", 1, null);

    static final ViewChange ADDS_WITH_TOKENS = adds("a batch of adds with tokens", 0, "/other");

    /** Returns a batch of two adds, 1 in total. The first one has this delta, and a token unless {@code token} is null. */
    private static ViewChange adds(String label, long delta, @Nullable String token) {
        Function<String, List<AddRequest>> requests =
                name -> requests(name, delta, token == null ? null : of(name + token));
        return new ViewChange(
                label,
                Set.of(),
                false,
                token == null ? ChangeTarget::counter : null,
                (process, name, commit) -> process.counters()
                        .add(requests.apply(name), commit)
                        // Without a token, the first one cannot be sent again with the second one, which is 0.
                        .thenApply(results ->
                                succeeded(token == null && results.get(1).isRetry() ? results.subList(0, 1) : results)),
                token == null ? List.of() : List.of(part(requests, 0), part(requests, 1)));
    }

    private static Sent part(Function<String, List<AddRequest>> requests, int index) {
        return (process, name, commit) -> process.counters()
                .add(List.of(requests.apply(name).get(index)), commit)
                .thenApply(ViewChange::succeeded);
    }

    private static Sent partOfAppends(int index) {
        return (process, name, commit) -> process.sequences()
                .append(name, List.of(appends(name).get(index)), commit)
                .thenApply(ViewChange::succeeded);
    }

    private static List<AddRequest> requests(String name, long delta, @Nullable IdempotencyToken token) {
        return List.of(new AddRequest(name, delta, token), new AddRequest(name, 1 - delta, of(name + "/token")));
    }

    private static List<AppendRequest> appends(String name) {
        return List.of(
                new AppendRequest(Change.ADDED, Look.SUBJECT, Map.of("value", 1L), of(name + "/1")),
                new AppendRequest(Change.UPDATED, Look.SUBJECT, Map.of(), of(name + "/2")),
                new AppendRequest(Change.ADDED, null, Map.of("value", 3L), of(name + "/3")));
    }

    /** Returns whether a backend accepts these batches of adds. */
    static boolean acceptsAddsAtOnce(CounterBackend backend) {
        CounterStore store = backend.counters();
        return isInLimits(
                store.limits(),
                requests(SAMPLE, 1, of(SAMPLE)).stream().mapToInt(store::weight).sum());
    }

    /** Returns whether a backend accepts this batch of appends. */
    static boolean acceptsAppendsAtOnce(CounterBackend backend) {
        SequenceStore store = backend.sequences();
        return isInLimits(
                store.limits(), appends(SAMPLE).stream().mapToInt(store::weight).sum());
    }

    private static boolean isInLimits(BatchLimits limits, int weight) {
        return limits.direct() || weight <= limits.maxWeight();
    }

    private static IdempotencyToken of(String token) {
        return IdempotencyToken.of(token);
    }

    static final ViewChange APPENDS_AT_ONCE = new ViewChange(
            "a batch of appends",
            Set.of(),
            false,
            null,
            (process, name, commit) ->
                    process.sequences().append(name, appends(name), commit).thenApply(ViewChange::succeeded),
            List.of(partOfAppends(0), partOfAppends(1), partOfAppends(2)));

    static final ViewChange DELETION = new ViewChange(
            "a deletion",
            Set.of(),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().delete(name, commit));

    static final ViewChange RESET = new ViewChange(
            "a reset",
            Set.of(),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().reset(name, commit));

    static final ViewChange SEAL_OF_COUNTER = new ViewChange(
            "a seal of a counter",
            Set.of(Capability.SEAL_COUNTERS),
            true,
            ChangeTarget::counter,
            (process, name, commit) -> process.counters().seal(name, ELSEWHERE, commit));

    static final ViewChange APPEND = new ViewChange(
            "an append",
            Set.of(),
            false,
            name -> ChangeTarget.append(name, 0),
            (process, name, commit) -> process.sequences()
                    .append(
                            name,
                            List.of(new AppendRequest(Change.ADDED, Look.SUBJECT, Map.of("value", 1L), null)),
                            commit)
                    .thenApply(ViewChange::succeeded));

    static final ViewChange SEAL_OF_SEQUENCE = new ViewChange(
            "a seal of a sequence",
            Set.of(Capability.SEAL_SEQUENCES),
            false,
            ChangeTarget::sequence,
            (process, name, commit) -> process.sequences().seal(name, ELSEWHERE, commit));

    static final ViewChange IMPORT_OF_COUNTER = importing(Kind.COUNTER, new ImportedState(ELSEWHERE, true, 1, 0));

    static final ViewChange IMPORT_OF_SEQUENCE = importing(Kind.SEQUENCE, new ImportedState(ELSEWHERE, true, 1, 1));

    private static ViewChange importing(Kind kind, ImportedState base) {
        return new ViewChange(
                kind == Kind.COUNTER ? "an import of a counter" : "an import of a sequence",
                Set.of(Capability.IMPORT),
                false,
                null,
                (process, name, commit) -> process.migration().importBase(kind, name, base, commit));
    }

    private static boolean succeeded(List<? extends Result<?>> results) {
        for (Result<?> result : results) {
            if (result.failure() != null) {
                throw result.failure();
            }
            if (result.isRetry()) {
                throw new NotAppliedException("to be sent again");
            }
        }
        return true;
    }
}
