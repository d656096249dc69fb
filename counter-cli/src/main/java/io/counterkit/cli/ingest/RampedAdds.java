package io.counterkit.cli.ingest;

import io.counterkit.NotAppliedException;
import io.counterkit.RampUpLimiter;
import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterBackend;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Makes the adds of a backend follow a ramp. It is below the batching, so that the ramp counts what is written, and adds
 * that wait for it are merged meanwhile. All other calls pass unchanged, also those that an interface of the SPI gains.
 */
record RampedAdds(CounterStore counters, RampUpLimiter ramp) {
    /** Returns {@code backend} with ramped adds. */
    static CounterBackend over(CounterBackend backend, RampUpLimiter ramp) {
        RampedAdds adds = new RampedAdds(backend.counters(), ramp);
        CounterStore ramped = replacing(
                CounterStore.class,
                replacing(CounterStore.class, adds.counters, "fastPath", args -> null), // it would pass the ramp
                "add",
                adds::add);
        return replacing(CounterBackend.class, backend, "counters", args -> ramped);
    }

    private static <T, R> T replacing(Class<T> type, T original, String method, Function<Object[], R> replacement) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, args) -> {
            if (called.getName().equals(method)) {
                return replacement.apply(args);
            }
            try {
                return called.invoke(original, args);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }));
    }

    @SuppressWarnings("unchecked") // the parameters of CounterStore.add
    private CompletableFuture<List<Result<Void>>> add(Object[] args) {
        List<AddRequest> requests = (List<AddRequest>) args[0];
        Commit commit = (Commit) args[1];
        int writes = requests.size() + 1; // and the token of the commit
        commit.token(); // made before a caller can leave: see Commit.isTokenMade
        if (!counters.limits().callerRuns()) {
            return ramp.whenFree(writes).thenCompose(free -> counters.add(requests, commit));
        }
        try {
            ramp.await(writes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new NotAppliedException("interrupted before it was sent", e));
        }
        return counters.add(requests, commit);
    }
}
