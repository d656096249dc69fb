package io.counterkit.benchmarks.datastore;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Commit;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** How the time and the calls of an append, and of a cold start, grow with the entries that are there. */
public final class GrowingSequence {
    private static final int TIMES = 15;

    private GrowingSequence() {}

    /** Measures and prints a line for each size; {@code GrowingSequence [sizes]}. */
    public static void main(String[] args) {
        long[] sizes = args.length == 0
                ? new long[] {100, 1_000, 10_000, 100_000}
                : Arrays.stream(args).mapToLong(Long::parseLong).toArray();
        try (LocalDatastore store = LocalDatastore.open(Map.of(), 0)) {
            Sequence sequence = connect();
            ArticleAppender article = new ArticleAppender("Article", new LongAdder());
            long there = 0;
            long ofArticle = 0;
            for (long size : sizes) {
                fill(size - there);
                there = sequence.next();
                System.out.printf("%,9d entries:", there);
                print(store, "append", sequence::next);
                print(store, "cold", () -> connect().last());
                if (size <= 1_000) {
                    for (; ofArticle < size; ofArticle++) {
                        article.append(Map.of(), () -> false);
                    }
                    print(store, "the article's append", () -> article.append(Map.of(), () -> false));
                    ofArticle += TIMES;
                }
                System.out.println();
                there = sequence.last();
            }
        }
    }

    /** In runs as long as one transaction takes. */
    private static void fill(long entries) {
        SequenceStore store = DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults())
                .sequences();
        AppendRequest request = new AppendRequest(Change.ADDED, null, Map.of(), null);
        int most = store.limits().maxWeight() / store.weight(request);
        for (long left = entries; left > 0; left -= most) {
            Commit commit = new Commit(Duration.ofSeconds(20), new Random(), CountersListener.disabled());
            CompletableFuture<?> unused =
                    store.append("s", Collections.nCopies((int) Math.min(most, left), request), commit);
        }
    }

    private static Sequence connect() {
        return Counters.over(DatastoreSequenceBackend.create(DatastoreSequenceOptions.defaults()))
                .sequence("s");
    }

    private static void print(LocalDatastore store, String what, Runnable operation) {
        double[] millis = new double[TIMES];
        long before = store.delegate().calls().sum();
        for (int i = 0; i < TIMES; i++) {
            long start = System.nanoTime();
            operation.run();
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                "  %s %.1f calls, %.1f ms;",
                what, (store.delegate().calls().sum() - before) / (double) TIMES, millis[TIMES / 2]);
    }
}
