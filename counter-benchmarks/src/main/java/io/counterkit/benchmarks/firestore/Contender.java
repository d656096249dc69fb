package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.WriteStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * The same counters in several processes, each with its own client, by one of the compared methods.
 *
 * @param processes for each process a function that adds 1 to the counter with a number
 * @param open the counters to close at the end
 */
record Contender(String name, List<IntFunction<CompletableFuture<?>>> processes, List<Counters> open)
        implements AutoCloseable {
    private static final int SHARDS = 10;

    /** The published recipe; the counters are created through the first client. */
    static Contender recipe(Firestore creator, List<Firestore> clients, int counters) {
        List<PublishedRecipe> created =
                PublishedRecipe.createMany(creator, "recipe-" + UUID.randomUUID() + "-", counters, SHARDS);
        List<IntFunction<CompletableFuture<?>>> processes = new ArrayList<>();
        for (Firestore client : clients) {
            List<PublishedRecipe> own =
                    created.stream().map(recipe -> recipe.through(client)).toList();
            processes.add(number -> own.get(number).increment());
        }
        return new Contender("published recipe", processes, List.of());
    }

    /** CounterKit without a limit of writes to a shard; every process has added to every counter once. */
    static Contender counterKit(WriteStrategy strategy, List<Firestore> clients, int counters) {
        return counterKit(
                FirestoreCounterOptions.builder()
                        .shards(SHARDS)
                        .writeStrategy(strategy)
                        .build(),
                clients,
                counters);
    }

    /** CounterKit; every process has added to every counter once. */
    static Contender counterKit(FirestoreCounterOptions options, List<Firestore> clients, int counters) {
        String prefix = "ours-" + UUID.randomUUID() + "-";
        List<IntFunction<CompletableFuture<?>>> processes = new ArrayList<>();
        List<Counters> open = new ArrayList<>();
        for (Firestore client : clients) {
            Counters own = Counters.over(
                    FirestoreCounterBackend.create(client, options),
                    CountersOptions.builder()
                            .queueLimit(1_000_000)
                            .queueBytes(1L << 30)
                            .deadline(Duration.ofMinutes(1))
                            .build());
            CompareAtScale.addToEach(own, prefix, counters);
            processes.add(number -> own.counter(prefix + number).async().add(1));
            open.add(own);
        }
        String name = options.writeStrategy() == WriteStrategy.STAMP ? "CounterKit, stamps" : "CounterKit";
        return new Contender(name, processes, open);
    }

    @Override
    public void close() {
        open.forEach(Counters::close);
    }
}
