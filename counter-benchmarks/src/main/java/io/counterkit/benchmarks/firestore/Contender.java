package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * One of the compared ways to add, in one process, on counters that it shares with other processes.
 *
 * @param adds adds 1 to the counter with a number
 * @param end closes what was opened for it
 */
record Contender(IntFunction<CompletableFuture<?>> adds, Runnable end) implements AutoCloseable {
    /** The published recipe. */
    static Contender recipe(List<PublishedRecipe> counters) {
        return new Contender(number -> counters.get(number).increment(), () -> {});
    }

    /** CounterKit; has added to every counter once. */
    static Contender counterKit(Firestore client, FirestoreCounterOptions options, String prefix, int counters) {
        Counters open = Counters.over(
                FirestoreCounterBackend.create(client, options),
                CountersOptions.builder()
                        .queueLimit(1_000_000)
                        .queueBytes(1L << 30)
                        .deadline(Duration.ofMinutes(1))
                        .build());
        CompareAtScale.addToEach(open, prefix, counters);
        return new Contender(number -> open.counter(prefix + number).async().add(1), open::close);
    }

    @Override
    public void close() {
        end.run();
    }
}
