package io.counterkit.migration.internal.job;

import io.counterkit.Entry;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.Futures;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Imports into the target whether the subjects of entries are live, as the frozen source states. Entries alone do not
 * make their subjects known: without the source, the target would regard a live subject as one that was never added.
 */
public record SubjectCopier(CounterBackend source, CounterBackend target, RetryingCalls calls, MoveThrottle throttle) {
    /** The most subjects at once. A channel to a store carries a hundred calls. */
    private static final int MOST_AT_ONCE = 20;

    /** Imports the subjects of entries that the target does not know. Returns false if the time ends first. */
    CompletableFuture<Boolean> copy(String sequence, List<Entry> entries) {
        List<String> unknown = new ArrayList<>();
        return Futures.inGroups(
                        subjectsOf(entries),
                        MOST_AT_ONCE,
                        subject -> isLiveAt(target, sequence, subject).thenAccept(known -> {
                            if (known.isEmpty()) {
                                unknown.add(subject);
                            }
                        }))
                .thenCompose(asked ->
                        unknown.isEmpty() ? CompletableFuture.completedFuture(true) : importAll(sequence, unknown));
    }

    private CompletableFuture<Boolean> importAll(String sequence, List<String> subjects) {
        return throttle.acquire(subjects.size())
                .thenCompose(isAcquired -> isAcquired
                        ? Futures.inGroups(subjects, MOST_AT_ONCE, subject -> importOne(sequence, subject))
                                .thenApply(done -> true)
                        : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Void> importOne(String sequence, String subject) {
        return isLiveAt(source, sequence, subject)
                .thenCompose(isLive -> isLive.isEmpty()
                        ? CompletableFuture.completedFuture(null)
                        : calls.retry(call -> target.migration().importSubject(sequence, subject, isLive.get(), call)));
    }

    private CompletableFuture<Optional<Boolean>> isLiveAt(CounterBackend store, String sequence, String subject) {
        return calls.retry(call -> store.migration().subject(sequence, subject, call));
    }

    /** Returns the distinct subjects of entries. */
    public static List<String> subjectsOf(List<Entry> entries) {
        return entries.stream()
                .map(Entry::subject)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }
}
