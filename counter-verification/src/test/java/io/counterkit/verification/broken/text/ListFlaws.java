package io.counterkit.verification.broken.text;

import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.forward.ForwardingCounterBackend;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapter 1, continued: the cursors of lists. */
public final class ListFlaws {
    private static final int ALL = 1_000_000;
    private static final int UUID_LENGTH = 36;

    private ListFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("ends a list if the name at its cursor was deleted", "1.10")
                        .counters(NeedsTheNameAtItsCursor::new),
                Flaw.that("continues the list that was read last in the process", "1.10")
                        .counters(ContinuesTheLastList::new),
                Flaw.that("keeps the cursors of its lists in the process", "1.10")
                        .counters(store -> new KeepsCursors(store, false)),
                Flaw.that("forgets a cursor when it is used", "1.10").counters(store -> new KeepsCursors(store, true)),
                Flaw.that("forgets the cursors of a process that is closed", "1.10")
                        .backend(ConcurrentHashMap::<String>newKeySet, ListFlaws::forgettingCursors),
                Flaw.that("orders a list by bytes and compares its cursor by characters", "1.10")
                        .counters(OrdersByBytes::new));
    }

    private static CounterBackend forgettingCursors(CounterBackend right, Set<String> forgotten) {
        Set<String> own = ConcurrentHashMap.newKeySet();
        CounterStore counters = new ForwardingCounterStore(right.counters()) {
            @Override
            public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
                if (cursor != null && forgotten.contains(cursor)) {
                    return CompletableFuture.failedFuture(new NotAppliedException("the cursor is unknown"));
                }
                String place = cursor == null ? null : cursor.substring(UUID_LENGTH);
                return store.names(prefix, place, limit, call).thenApply(page -> {
                    if (page.next() == null) {
                        return page;
                    }
                    String next = UUID.randomUUID() + page.next();
                    own.add(next);
                    return new NamePage(page.names(), next);
                });
            }
        };
        return new ForwardingCounterBackend(right, counters, right.sequences()) {
            @Override
            public void close() {
                forgotten.addAll(own);
                super.close();
            }
        };
    }

    private static final class NeedsTheNameAtItsCursor extends ForwardingCounterStore {
        NeedsTheNameAtItsCursor(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return cursor == null
                    ? store.names(prefix, null, limit, call)
                    : store.names(cursor, null, 1, call)
                            .thenCompose(found -> found.names().contains(cursor)
                                    ? store.names(prefix, cursor, limit, call)
                                    : Futures.done(new NamePage(List.of(), null)));
        }
    }

    private static final class ContinuesTheLastList extends ForwardingCounterStore {
        private volatile @Nullable String place;

        ContinuesTheLastList(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor == null ? null : place, limit, call)
                    .thenApply(page -> {
                        place = page.next();
                        return new NamePage(page.names(), page.next() == null ? null : "more");
                    });
        }
    }

    private static final class KeepsCursors extends ForwardingCounterStore {
        private final Map<String, String> places = new ConcurrentHashMap<>();
        private final boolean isUsedOnce;

        KeepsCursors(CounterStore store, boolean isUsedOnce) {
            super(store);
            this.isUsedOnce = isUsedOnce;
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            String place = cursor == null ? null : isUsedOnce ? places.remove(cursor) : places.get(cursor);
            if (cursor != null && place == null) {
                return CompletableFuture.failedFuture(new NotAppliedException("the cursor is unknown"));
            }
            return store.names(prefix, place, limit, call).thenApply(page -> {
                if (page.next() == null) {
                    return page;
                }
                String next = UUID.randomUUID().toString();
                places.put(next, page.next());
                return new NamePage(page.names(), next);
            });
        }
    }

    private static final class OrdersByBytes extends ForwardingCounterStore {
        private static final Comparator<String> BY_BYTES =
                Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

        OrdersByBytes(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, null, ALL, call).thenApply(all -> {
                List<String> found = all.names().stream()
                        .sorted(BY_BYTES)
                        .filter(name -> cursor == null || name.compareTo(cursor) > 0)
                        .limit(limit + 1L)
                        .toList();
                return found.size() <= limit
                        ? new NamePage(found, null)
                        : new NamePage(found.subList(0, limit), found.get(limit - 1));
            });
        }
    }
}
