package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.spi.AddRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends batches as the API layer does. */
public final class Batches {
    private Batches() {}

    /** Sends a batch. Sends requests whose result is a retry in a further batch. */
    public static List<Result<Void>> add(CounterStore store, List<AddRequest> requests, Supplier<Commit> commits) {
        List<Result<Void>> results =
                new ArrayList<>(store.add(requests, commits.get()).join());
        assertThat(results).as("the results of %s requests", requests.size()).hasSameSizeAs(requests);
        List<AddRequest> again = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            if (results.get(i).isRetry()) {
                again.add(requests.get(i));
            }
        }
        assertThat(again).as("the requests to retry").hasSizeLessThan(requests.size());
        if (!again.isEmpty()) {
            List<Result<Void>> decided = add(store, again, commits);
            for (int i = 0, next = 0; i < results.size(); i++) {
                if (results.get(i).isRetry()) {
                    results.set(i, decided.get(next++));
                }
            }
        }
        return results;
    }
}
