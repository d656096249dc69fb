package io.counterkit.verification.broken.text;

import io.counterkit.Entry;
import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.Reading;
import io.counterkit.Tail;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import io.counterkit.verification.broken.flaw.Renamed;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Chapters 1 and 9: names, absence and isolation. */
public final class NameFlaws {
    private NameFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("fails to read an absent counter", "1.1").counters(FailsToReadWhatIsAbsent::new),
                Flaw.that("ignores an add of 0", "1.2").counters(LeavesZerosOut::new),
                Flaw.that("treats names that differ in case as one", "1.3", "9.1")
                        .backend(right -> Renamed.of(right, name -> name.toLowerCase(Locale.ROOT))),
                Flaw.that("escapes slashes, but not its escape character", "1.3", "9.1")
                        .backend(right -> Renamed.of(right, name -> name.replace("/", "%2F"))),
                Flaw.that("omits a name between two pages", "1.5").counters(LosesANameBetweenPages::new),
                Flaw.that("lists the first page for every cursor", "1.5").sequences(ListsTheFirstPageAlways::new),
                Flaw.that("treats a prefix as a pattern", "1.5").sequences(TakesThePrefixForAPattern::new),
                Flaw.that("fails to read the tail of an unknown sequence", "1.6")
                        .sequences(FailsToFindTheUnknown::new),
                Flaw.that("counts the entries of a sequence in the counter of its name", "1.7")
                        .backend(NameFlaws::withOneNamespace),
                Flaw.that("clears every counter whose name starts with the name", "9.2")
                        .counters(ClearsWhateverStartsWithIt::new),
                Flaw.that("stores names by one bit of their hash code", "9.3", "9.4")
                        .backend(right -> Renamed.of(right, name -> "hash " + (name.hashCode() & 1))),
                Flaw.that("refuses names that the store reserves", "9.5")
                        .backend(right -> Renamed.of(right, NameFlaws::refuseReserved)));
    }

    private static String refuseReserved(String name) {
        if (name.matches("__.*__")) {
            throw new NotAppliedException("the store reserves '" + name + "'");
        }
        return name;
    }

    private static CounterBackend withOneNamespace(CounterBackend right) {
        return new ForwardingCounterBackend(right, right.counters(), new ForwardingSequenceStore(right.sequences()) {
            @Override
            public CompletableFuture<List<Result<Entry>>> append(
                    String sequence, List<AppendRequest> requests, Commit commit) {
                List<AddRequest> count = List.of(new AddRequest(sequence, requests.size(), null));
                return right.counters()
                        .add(count, Commits.another(commit))
                        .thenCompose(counted -> store.append(sequence, requests, commit));
            }
        });
    }

    private static final class FailsToReadWhatIsAbsent extends ForwardingCounterStore {
        FailsToReadWhatIsAbsent(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            return store.names(names.get(0), null, 1, call)
                    .thenCompose(page -> page.names().isEmpty()
                            ? CompletableFuture.failedFuture(new NotAppliedException("no counter " + names))
                            : store.read(names, maxStaleness, call));
        }
    }

    private static final class LeavesZerosOut extends ForwardingCounterStore {
        LeavesZerosOut(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return requests.size() == 1 && requests.get(0).delta() == 0
                    ? Futures.done(List.of(Result.applied()))
                    : store.add(requests, commit);
        }
    }

    private static final class LosesANameBetweenPages extends ForwardingCounterStore {
        LosesANameBetweenPages(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call)
                    .thenApply(page -> page.next() == null
                            ? page
                            : new NamePage(page.names().subList(0, limit - 1), page.next()));
        }
    }

    private static final class ListsTheFirstPageAlways extends ForwardingSequenceStore {
        ListsTheFirstPageAlways(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, null, limit, call);
        }
    }

    private static final class TakesThePrefixForAPattern extends ForwardingSequenceStore {
        TakesThePrefixForAPattern(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix.split("[%_*]", 2)[0], cursor, limit, call);
        }
    }

    private static final class FailsToFindTheUnknown extends ForwardingSequenceStore {
        FailsToFindTheUnknown(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Tail> tail(String sequence, Call call) {
            return store.tail(sequence, call)
                    .thenCompose(tail -> tail.equals(Tail.EMPTY)
                            ? CompletableFuture.failedFuture(new NotAppliedException("no sequence " + sequence))
                            : Futures.done(tail));
        }
    }

    private static final class ClearsWhateverStartsWithIt extends ForwardingCounterStore {
        ClearsWhateverStartsWithIt(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            return store.names(name, null, 1000, commit)
                    .thenCompose(page -> CompletableFuture.allOf(page.names().stream()
                            .map(each -> store.delete(each, Commits.another(commit)))
                            .toArray(CompletableFuture<?>[]::new)));
        }
    }
}
