package io.counterkit.verification.broken.counter;

import io.counterkit.NamePage;
import io.counterkit.NotAppliedException;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Call;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import io.counterkit.verification.broken.flaw.Intercepted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Chapter 2, continued: what a refused add of a batch leaves. */
public final class RefusedNeighbourFlaws {
    private RefusedNeighbourFlaws() {}

    public static List<Flaw> all() {
        return List.of(
                Flaw.that("creates all counters of a batch before it refuses some of its adds", "2.8")
                        .counters(ConcurrentHashMap::<String>newKeySet, CreatesAll::new),
                Flaw.that("fails a batch in which a total exceeds 64 bits", "2.8")
                        .backend(ConcurrentHashMap::<String>newKeySet, RefusedNeighbourFlaws::failing));
    }

    private static CounterBackend failing(CounterBackend right, Set<String> full) {
        return Intercepted.of(right, call -> {
            if (call.method().equals("MigrationStore.importBase")) {
                ImportedState base = call.argument(2);
                if (base.value() == Long.MAX_VALUE) {
                    full.add(call.argument(1));
                }
            }
            if (!call.method().equals("CounterStore.add")) {
                return call.pass();
            }
            List<AddRequest> requests = call.argument(0);
            return requests.size() > 1 && requests.stream().anyMatch(request -> full.contains(request.name()))
                    ? CompletableFuture.failedFuture(new NotAppliedException("the number is out of range"))
                    : call.pass();
        });
    }

    /** Lists a counter whose only add was refused in a batch, if the list is that of its name. */
    private static final class CreatesAll extends ForwardingCounterStore {
        private final Set<String> created;

        CreatesAll(CounterStore store, Set<String> created) {
            super(store);
            this.created = created;
        }

        @Override
        public CompletableFuture<List<Result<Void>>> add(List<AddRequest> requests, Commit commit) {
            return store.add(requests, commit).thenApply(results -> {
                if (requests.size() > 1) {
                    requests.forEach(request -> created.add(request.name()));
                }
                return results;
            });
        }

        @Override
        public CompletableFuture<Void> delete(String name, Commit commit) {
            created.remove(name);
            return store.delete(name, commit);
        }

        @Override
        public CompletableFuture<NamePage> names(String prefix, @Nullable String cursor, int limit, Call call) {
            return store.names(prefix, cursor, limit, call).thenApply(page -> {
                List<String> names = new ArrayList<>(page.names());
                if (cursor == null && page.next() == null) {
                    created.stream().filter(name -> name.startsWith(prefix)).forEach(names::add);
                }
                return new NamePage(names.stream().distinct().toList(), page.next());
            });
        }
    }
}
