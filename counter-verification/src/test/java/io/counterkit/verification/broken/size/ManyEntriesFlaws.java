package io.counterkit.verification.broken.size;

import io.counterkit.Change;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NamedReading;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.CounterBackend;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Chapters 1, 3, 5 and 10, continued: limits of some thousand; pages of sequences by offset. */
final class ManyEntriesFlaws {
    private static final int MOST = 5_000;
    private static final int ALL = 1_000_000;

    private ManyEntriesFlaws() {}

    static List<Flaw> all() {
        return List.of(
                flaw("keeps the last 5,000 entries of a sequence", "10.18", ManyEntriesFlaws::lastEntries),
                flaw("knows the last 5,000 subjects of a sequence", "10.18", ManyEntriesFlaws::lastSubjects),
                flaw("knows the tokens of the last 5,000 appends", "5.25", ManyEntriesFlaws::lastTokens),
                flaw("remembers the last 5,000 decisions", "5.25", ManyEntriesFlaws::lastDecisions),
                flaw("lists no more than 5,000 sequences", "1.9", ManyEntriesFlaws::firstSequences),
                flaw("ranks the first 5,000 counters only", "3.17", ManyEntriesFlaws::rankingOfFirst),
                flaw("lists pages of sequences by offset", "1.9", ManyEntriesFlaws::byOffset));
    }

    /** What was used, each with its place. */
    private static final class Used {
        private final Map<Object, Integer> places = new ConcurrentHashMap<>();

        /** Returns whether it was used, and so many others since that it is forgotten. */
        boolean isForgotten(Object each) {
            Integer place = places.putIfAbsent(each, places.size());
            return place != null && place < places.size() - MOST;
        }
    }

    private interface Limited {
        CompletableFuture<?> answer(CounterBackend right, Sent call, Used used);
    }

    private static Flaw flaw(String does, String breaks, Limited limited) {
        return Flaw.that(does, breaks)
                .backend(Used::new, (right, used) -> Intercepted.of(right, call -> limited.answer(right, call, used)));
    }

    private static CompletableFuture<?> lastEntries(CounterBackend right, Sent call, Used used) {
        return call.method().equals("SequenceStore.read")
                ? call.<List<Entry>>passOn()
                        .thenCombine(
                                right.sequences().tail(call.argument(0), Commits.own()),
                                (entries, tail) -> entries.stream()
                                        .filter(entry -> entry.number() > tail.last() - MOST)
                                        .toList())
                : call.pass();
    }

    private static CompletableFuture<?> lastSubjects(CounterBackend right, Sent call, Used used) {
        boolean isForgotten = false;
        if (call.method().equals("SequenceStore.append")) {
            for (AppendRequest request : call.<List<AppendRequest>>argument(1)) {
                isForgotten |= request.subject() != null
                        && used.isForgotten(List.of(call.argument(0), request.subject()))
                        && request.change() != Change.ADDED;
            }
        }
        return isForgotten
                ? CompletableFuture.failedFuture(new NotAppliedException("the subject is not known"))
                : call.pass();
    }

    private static CompletableFuture<?> lastTokens(CounterBackend right, Sent call, Used used) {
        return call.method().equals("SequenceStore.append")
                ? call.passWith(
                        1,
                        call.<List<AppendRequest>>argument(1).stream()
                                .map(request -> request.token() == null || !used.isForgotten(request.token())
                                        ? request
                                        : new AppendRequest(
                                                request.change(), request.subject(), request.fields(), null))
                                .toList())
                : call.pass();
    }

    private static CompletableFuture<?> lastDecisions(CounterBackend right, Sent call, Used used) {
        if (call.method().equals("CounterBackend.resolve")) {
            IdempotencyToken token = call.argument(0);
            return call.<Resolution>passOn().thenApply(resolution -> {
                boolean unused = !resolution.applied() && used.isForgotten(token);
                return resolution;
            });
        }
        return call.method().equals("CounterStore.add")
                ? call.passWith(
                        0,
                        call.<List<AddRequest>>argument(0).stream()
                                .map(add -> add.token() != null
                                                && used.places.containsKey(add.token())
                                                && used.isForgotten(add.token())
                                        ? new AddRequest(add.name(), add.delta(), null)
                                        : add)
                                .toList())
                : call.pass();
    }

    private static CompletableFuture<?> firstSequences(CounterBackend right, Sent call, Used used) {
        return call.method().equals("SequenceStore.names")
                ? call.<NamePage>passOn()
                        .thenCombine(
                                right.sequences().names(call.argument(0), null, MOST, Commits.own()), (page, first) -> {
                                    Set<String> listed = new HashSet<>(first.names());
                                    return new NamePage(
                                            page.names().stream()
                                                    .filter(listed::contains)
                                                    .toList(),
                                            listed.containsAll(page.names()) ? page.next() : null);
                                })
                : call.pass();
    }

    private static CompletableFuture<?> rankingOfFirst(CounterBackend right, Sent call, Used used) {
        return call.method().equals("CounterStore.top")
                ? call.<List<NamedReading>>passWith(1, ALL)
                        .thenCombine(
                                right.counters().names(call.argument(0), null, MOST, Commits.own()),
                                (ranked, first) -> {
                                    Set<String> listed = new HashSet<>(first.names());
                                    return ranked.stream()
                                            .filter(named -> listed.contains(named.name()))
                                            .limit(call.<Integer>argument(1))
                                            .toList();
                                })
                : call.pass();
    }

    private static CompletableFuture<?> byOffset(CounterBackend right, Sent call, Used used) {
        if (!call.method().equals("SequenceStore.names")) {
            return call.pass();
        }
        int from = call.arguments().get(1) == null ? 0 : Integer.parseInt(call.argument(1));
        return right.sequences()
                .names(call.argument(0), null, ALL, Commits.own())
                .thenApply(all -> {
                    int size = all.names().size();
                    int to = Math.min(from + call.<Integer>argument(2), size);
                    return new NamePage(
                            all.names().subList(Math.min(from, to), to), to < size ? Integer.toString(to) : null);
                });
    }
}
