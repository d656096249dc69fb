package io.counterkit.verification.broken.size;

import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NamePage;
import io.counterkit.NumberRange;
import io.counterkit.Reading;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.BatchLimits;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import io.counterkit.spi.Result;
import io.counterkit.spi.SequenceStore;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.spi.forward.ForwardingMigrationStore;
import io.counterkit.spi.forward.ForwardingSequenceStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Chapters 1, 2, 5, 10 and 13, continued: limits of a thousand or fewer. */
public final class SizeFlaws {
    private SizeFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("lists no more than 1,000 counters", "1.9").counters(ListsAThousand::new),
                Flaw.that("lists pages of counters by offset", "1.9").counters(ListsByCounting::new),
                Flaw.that("reads no more than 200 of many counters", "2.7").counters(ReadsTwoHundred::new),
                Flaw.that("drops the requests of a batch beyond 100", "2.7")
                        .batched(BatchLimits.ofWeight(500))
                        .counters(DropsTheRest::new),
                Flaw.that("remembers only the last 1,000 tokens", "5.20")
                        .counters(LastTokens::new, RemembersLastTokens::new),
                Flaw.that("reads no more than 500 entries", "10.18").sequences(ReadsFiveHundredEntries::new),
                Flaw.that("erases only entries in its cache", "10.18").sequences(ErasesTheLastOnes::new),
                Flaw.that("returns the states of no more than 100 names", "13.12")
                        .migration(ReturnsAHundredStates::new));
    }

    private static final class ListsAThousand extends ForwardingCounterStore {
        ListsAThousand(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, null, 1000, call).thenApply(first -> {
                List<String> names = first.names().stream()
                        .filter(name -> cursor == null || name.compareTo(cursor) > 0)
                        .toList();
                return names.size() <= limit
                        ? new NamePage(names, null)
                        : new NamePage(names.subList(0, limit), names.get(limit - 1));
            });
        }
    }

    private static final class ListsByCounting extends ForwardingCounterStore {
        ListsByCounting(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            int from = cursor == null ? 0 : Integer.parseInt(cursor);
            return store.names(prefix, null, 1_000_000, call).thenApply(all -> {
                int to = Math.min(from + limit, all.names().size());
                return new NamePage(
                        all.names().subList(Math.min(from, to), to),
                        to < all.names().size() ? Integer.toString(to) : null);
            });
        }
    }

    private static final class ReadsTwoHundred extends ForwardingCounterStore {
        ReadsTwoHundred(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            int asked = Math.min(200, names.size());
            return store.read(names.subList(0, asked), maxStaleness, call).thenApply(read -> {
                List<Result<Reading>> all = new ArrayList<>(read);
                all.addAll(Collections.nCopies(
                        names.size() - asked, Result.of(new Reading(0, Instant.EPOCH, Duration.ZERO))));
                return all;
            });
        }
    }

    private static final class DropsTheRest extends ForwardingCounterStore {
        DropsTheRest(CounterStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests.subList(0, Math.min(100, requests.size())), commit)
                    .thenApply(results -> {
                        List<Result<Void>> all = new ArrayList<>(results);
                        all.addAll(Collections.nCopies(requests.size() - results.size(), Result.applied()));
                        return all;
                    });
        }
    }

    private static final class LastTokens {
        private final Map<IdempotencyToken, Boolean> tokens = Collections.synchronizedMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<IdempotencyToken, Boolean> eldest) {
                return size() > 1000;
            }
        });
    }

    private static final class RemembersLastTokens extends ForwardingCounterStore {
        private final LastTokens last;

        RemembersLastTokens(CounterStore store, LastTokens last) {
            super(store);
            this.last = last;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            AddRequest add = requests.get(0);
            IdempotencyToken token = add.token();
            if (token == null) {
                return store.add(requests, commit);
            }
            return last.tokens.putIfAbsent(token, true) != null
                    ? Futures.done(List.of(Result.applied()))
                    : store.add(List.of(new AddRequest(add.name(), add.delta(), null)), commit);
        }
    }

    private static final class ReadsFiveHundredEntries extends ForwardingSequenceStore {
        ReadsFiveHundredEntries(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<Entry>> read(String sequence, NumberRange range, Call call) {
            return store.read(sequence, range, call)
                    .thenApply(entries -> entries.subList(0, Math.min(500, entries.size())));
        }
    }

    private static final class ErasesTheLastOnes extends ForwardingSequenceStore {
        ErasesTheLastOnes(SequenceStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<Boolean> erase(String sequence, long number, Commit commit) {
            return store.tail(sequence, commit)
                    .thenCompose(tail ->
                            tail.last() - number > 1000 ? Futures.done(true) : store.erase(sequence, number, commit));
        }
    }

    private static final class ReturnsAHundredStates extends ForwardingMigrationStore {
        ReturnsAHundredStates(MigrationStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<NameState>> states(ChangeTarget.Kind kind, List<String> names, Call call) {
            return store.states(kind, names.subList(0, Math.min(100, names.size())), call);
        }
    }
}
