package io.counterkit.tck.internal.view;

import io.counterkit.Change;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.internal.fault.Batches;
import io.counterkit.tck.internal.view.ViewChange.Before;
import io.counterkit.tck.internal.view.ViewChange.Sent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The changes that are batches. */
final class ViewBatches {
    /** A name as long as those of the trials. */
    private static final String SAMPLE = "n".repeat(80);

    private static final String SECOND = "/second";

    /** Two adds to one counter, the first of which is 1 and has no token. */
    static final ViewChange ADDS = adds("a batch of adds", ViewBatches::ofOne);

    static final ViewChange ADDS_WITH_TOKENS = adds("a batch of adds with tokens", ViewBatches::ofOneWithTokens);

    static final ViewChange ADDS_TO_TWO = adds("a batch of adds to two counters", ViewBatches::ofTwo);

    static final ViewChange ADDS_TO_TWO_WITH_TOKENS =
            adds("a batch of adds with tokens to two counters", ViewBatches::ofTwoWithTokens);

    static final ViewChange APPENDS = new ViewChange(
            "a batch of appends",
            Set.of(),
            Before.NOTHING,
            null,
            (process, name, commit) ->
                    process.sequences().append(name, appends(name), commit).thenApply(ViewChange::succeeded),
            IntStream.range(0, appends(SAMPLE).size())
                    .mapToObj(ViewBatches::partOfAppends)
                    .toList(),
            null);

    private ViewBatches() {}

    /** Returns the changes by batches of adds that a backend accepts. */
    static List<ViewChange> ofAdds(CounterBackend backend) {
        if (!Batches.accepts(backend.counters(), ofOneWithTokens(SAMPLE))) {
            return List.of();
        }
        return Batches.accepts(backend.counters(), ofTwoWithTokens(SAMPLE))
                ? List.of(ADDS, ADDS_WITH_TOKENS, ADDS_TO_TWO, ADDS_TO_TWO_WITH_TOKENS)
                : List.of(ADDS, ADDS_WITH_TOKENS);
    }

    /** Returns whether a backend accepts the batch of appends. */
    static boolean acceptsAppends(CounterBackend backend) {
        return Batches.accepts(backend.sequences(), appends(SAMPLE));
    }

    private static ViewChange adds(String label, Function<String, List<AddRequest>> requests) {
        boolean hasTokens = requests.apply(SAMPLE).get(0).token() != null;
        boolean isOfTwo = requests.apply(SAMPLE).get(1).name().endsWith(SECOND);
        return new ViewChange(
                label,
                Set.of(),
                Before.NOTHING,
                hasTokens ? null : ChangeTarget::counter,
                (process, name, commit) -> process.counters()
                        .add(requests.apply(name), commit)
                        // Without a token, the first one cannot be sent again with the second one, which is 0.
                        .thenApply(results -> ViewChange.succeeded(
                                !hasTokens && !isOfTwo && results.get(1).isRetry() ? results.subList(0, 1) : results)),
                hasTokens ? List.of(part(requests, 0), part(requests, 1)) : List.of(),
                isOfTwo ? name -> name + SECOND : null);
    }

    private static List<AddRequest> ofOne(String name) {
        return List.of(new AddRequest(name, 1, null), new AddRequest(name, 0, of(name + "/token")));
    }

    private static List<AddRequest> ofOneWithTokens(String name) {
        return List.of(new AddRequest(name, 0, of(name + "/other")), new AddRequest(name, 1, of(name + "/token")));
    }

    private static List<AddRequest> ofTwo(String name) {
        return List.of(new AddRequest(name, 1, null), new AddRequest(name + SECOND, 1, null));
    }

    private static List<AddRequest> ofTwoWithTokens(String name) {
        return List.of(
                new AddRequest(name, 1, of(name + "/other")), new AddRequest(name + SECOND, 1, of(name + "/token")));
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

    private static List<AppendRequest> appends(String name) {
        return List.of(
                new AppendRequest(Change.ADDED, ViewRead.SUBJECT, Map.of("value", 1L), of(name + "/1")),
                new AppendRequest(Change.UPDATED, ViewRead.SUBJECT, Map.of(), of(name + "/2")),
                new AppendRequest(Change.ADDED, null, Map.of("value", 3L), of(name + "/3")));
    }

    private static IdempotencyToken of(String token) {
        return IdempotencyToken.of(token);
    }
}
