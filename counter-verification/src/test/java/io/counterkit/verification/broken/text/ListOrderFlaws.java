package io.counterkit.verification.broken.text;

import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import io.counterkit.verification.broken.flaw.Intercepted.Sent;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Chapter 1, continued: lists in an order that changes, and lists of rows that are not all present. */
public final class ListOrderFlaws {
    private static final int ALL = 1_000_000;
    private static final int REVISIONS = 500;

    private ListOrderFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists counters by the time of their last change", "1.10")
                        .counters(Times::new, (store, times) -> new ListsByTime(store, times, true)),
                Flaw.that("lists counters by the time of their creation", "1.10")
                        .counters(Times::new, (store, times) -> new ListsByTime(store, times, false)),
                Flaw.that("refuses a cursor after 500 changes", "1.10")
                        .backend(
                                AtomicLong::new,
                                (right, changes) -> Intercepted.of(right, call -> atRevision(changes, call))),
                Flaw.that("ends a list at a page of deleted counters", "1.10")
                        .counters(ConcurrentHashMap::<String>newKeySet, (store, rows) -> new ListsRows(store, rows) {
                            @Override
                            public CompletableFuture<Void> delete(String name, Commit commit) {
                                rows.add(name);
                                return store.delete(name, commit);
                            }
                        }),
                Flaw.that("ends a list at a page of counters that are sealed and absent", "1.10")
                        .counters(ConcurrentHashMap::<String>newKeySet, (store, rows) -> new ListsRows(store, rows) {
                            @Override
                            public CompletableFuture<Seal> seal(String name, String forward, Commit commit) {
                                rows.add(name);
                                return store.seal(name, forward, commit);
                            }
                        }));
    }

    /** Reads all pages of a list at the revision of its first one, and keeps few revisions. */
    private static CompletableFuture<?> atRevision(AtomicLong changes, Sent call) {
        if (!call.method().endsWith(".names")) {
            return call.method().endsWith("Store.add") || call.method().endsWith("Store.append")
                    ? call.pass().whenComplete((done, failure) -> changes.incrementAndGet())
                    : call.pass();
        }
        String cursor = call.argument(1);
        int end = cursor == null ? 0 : cursor.indexOf('!');
        long revision = cursor == null ? changes.get() : Long.parseLong(cursor.substring(0, end));
        if (changes.get() - revision > REVISIONS) {
            return CompletableFuture.failedFuture(new NotAppliedException("the revision of the cursor is gone"));
        }
        return call.<NamePage>passWith(1, cursor == null ? null : cursor.substring(end + 1))
                .thenApply(
                        page -> page.next() == null ? page : new NamePage(page.names(), revision + "!" + page.next()));
    }

    /** A time for each counter, as a number that grows. */
    private static final class Times {
        private final AtomicLong clock = new AtomicLong();
        private final ConcurrentMap<String, Long> ofNames = new ConcurrentHashMap<>();

        long of(String name) {
            return ofNames.getOrDefault(name, 0L);
        }

        void set(String name) {
            ofNames.put(name, clock.incrementAndGet());
        }
    }

    /** Uses the time of a counter as the cursor. */
    private static final class ListsByTime extends ForwardingCounterStore {
        private final Times times;
        private final boolean isOfChange;

        ListsByTime(CounterStore store, Times times, boolean isOfChange) {
            super(store);
            this.times = times;
            this.isOfChange = isOfChange;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.stream()
                    .map(AddRequest::name)
                    .filter(name -> isOfChange || times.of(name) == 0)
                    .forEach(times::set);
            return store.add(requests, commit);
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            times.ofNames.remove(name);
            return store.delete(name, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            long after = cursor == null ? 0 : Long.parseLong(cursor);
            return store.names(prefix, null, ALL, call).thenApply(all -> {
                List<String> rest = all.names().stream()
                        .filter(name -> times.of(name) > after)
                        .sorted(Comparator.comparing(times::of))
                        .toList();
                return rest.size() <= limit
                        ? new NamePage(rest, null)
                        : new NamePage(rest.subList(0, limit), Long.toString(times.of(rest.get(limit - 1))));
            });
        }
    }

    /** Reads pages of rows, of which some are of absent counters. */
    private static class ListsRows extends ForwardingCounterStore {
        private final Set<String> rows;

        ListsRows(CounterStore store, Set<String> rows) {
            super(store);
            this.rows = rows;
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, null, ALL, call).thenApply(present -> {
                TreeSet<String> all = new TreeSet<>(present.names());
                rows.stream().filter(name -> name.startsWith(prefix)).forEach(all::add);
                Set<String> rest = cursor == null ? all : all.tailSet(cursor, false);
                List<String> page = rest.stream().limit(limit).toList();
                List<String> listed =
                        page.stream().filter(present.names()::contains).toList();
                return new NamePage(
                        listed, listed.isEmpty() || rest.size() <= limit ? null : page.get(page.size() - 1));
            });
        }
    }
}
