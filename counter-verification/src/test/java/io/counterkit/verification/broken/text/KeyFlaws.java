package io.counterkit.verification.broken.text;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Commits;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Renamed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/** Chapter 9, continued: keys that counters share with other data of the store. */
public final class KeyFlaws {
    private KeyFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("stores names by their CRC-32", "9.6")
                        .backend(
                                Checksums::new,
                                (right, seen) -> Renamed.of(right, seen.of(text -> sum(new CRC32(), text)))),
                Flaw.that("stores names by their Adler-32", "9.6")
                        .backend(
                                Checksums::new,
                                (right, seen) -> Renamed.of(right, seen.of(text -> sum(new Adler32(), text)))),
                Flaw.that("stores the total of a counter under its name and '#total'", "9.7")
                        .backend(right -> Renamed.of(
                                right, name -> name.endsWith("#total") ? name.substring(0, name.length() - 6) : name)),
                Flaw.that("stores the seal of a counter under its name and '/seal'", "9.7")
                        .counters(ConcurrentHashMap::<String>newKeySet, SealsUnderANames::new),
                Flaw.that("stores counters and tokens under the same keys", "9.7")
                        .counters(Keys::new, TokensAreCounters::new),
                Flaw.that("loses concurrent changes of counters that it stores together", "9.3")
                        .counters(Buckets::new, StoresTogether::new));
    }

    private static long sum(Checksum checksum, String text) {
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
        return checksum.getValue();
    }

    /** The first text of each checksum. */
    private static final class Checksums {
        private final Map<Long, String> first = new ConcurrentHashMap<>();

        UnaryOperator<String> of(ToLongFunction<String> checksum) {
            return text -> first.computeIfAbsent(checksum.applyAsLong(text), unseen -> text);
        }
    }

    /** An add to a counter fails if there is another one where its seal would be. */
    private static final class SealsUnderANames extends ForwardingCounterStore {
        private final Set<String> used;

        SealsUnderANames(CounterStore store, Set<String> used) {
            super(store);
            this.used = used;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            requests.forEach(request -> used.add(request.name()));
            return requests.stream().anyMatch(request -> used.contains(request.name() + "/seal"))
                    ? CompletableFuture.failedFuture(new NotAppliedException("the seal is not a seal"))
                    : store.add(requests, commit);
        }
    }

    private record Keys(Set<String> names, Set<String> tokens) {
        Keys() {
            this(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
        }
    }

    private static final class TokensAreCounters extends ForwardingCounterStore {
        private final Keys keys;

        TokensAreCounters(CounterStore store, Keys keys) {
            super(store);
            this.keys = keys;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            for (AddRequest request : requests) {
                @Nullable IdempotencyToken token = request.token();
                keys.names().add(request.name());
                if (token != null) {
                    keys.tokens().add(token.value());
                }
                if (keys.tokens().contains(request.name())
                        || (token != null && keys.names().contains(token.value()))) {
                    return CompletableFuture.failedFuture(new NotAppliedException("not a counter, or not a token"));
                }
            }
            return store.add(requests, commit);
        }
    }

    private record Written(Object process, String name, long delta) {}

    private static final class Buckets {
        private static final int COUNT = 32;

        private final Map<Integer, List<Written>> written = new ConcurrentHashMap<>();

        List<Written> of(String name) {
            return written.computeIfAbsent(Math.floorMod(name.hashCode(), COUNT), none -> new ArrayList<>());
        }
    }

    /** Writes back what it read of the other counters in the same place. */
    private static final class StoresTogether extends ForwardingCounterStore {
        private static final long BRIEF = 500_000;

        private final Buckets buckets;

        StoresTogether(CounterStore store, Buckets buckets) {
            super(store);
            this.buckets = buckets;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            if (requests.size() > 1) {
                return store.add(requests, commit);
            }
            AddRequest request = requests.get(0);
            List<Written> bucket = buckets.of(request.name());
            int before;
            synchronized (bucket) {
                before = bucket.size();
            }
            LockSupport.parkNanos(BRIEF);
            return store.add(requests, commit).thenApply(results -> {
                synchronized (bucket) {
                    bucket.subList(before, bucket.size()).forEach(other -> {
                        if (other.process() != this && !other.name().equals(request.name())) {
                            store.add(
                                            List.of(new AddRequest(other.name(), -other.delta(), null)),
                                            Commits.another(commit))
                                    .join();
                        }
                    });
                    bucket.add(new Written(this, request.name(), request.delta()));
                }
                return results;
            });
        }
    }
}
