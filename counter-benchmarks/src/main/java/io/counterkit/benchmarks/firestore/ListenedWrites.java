package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Write;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Counts the writes a second into the collection of counters, to which pages listen, while processes add to many counters
 * that are kept fresh, under a {@linkplain ServiceModel model} of the live service. Google advises fewer than 1,000.
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.ListenedWrites [counters [seconds]]
 * }</pre>
 */
public final class ListenedWrites implements ClientInterceptor {
    private static final int IN_FLIGHT = 1_000;

    /** To one document; high, so that most counters change in every second. */
    private static final int COMMITS_A_SECOND = 100;

    /** The writes in each second of the process's own clock. */
    private final Map<Long, Integer> writes = new TreeMap<>();

    private ListenedWrites() {}

    /** Runs the measurement. */
    public static void main(String[] args) throws Exception {
        int names = args.length < 1 ? 2_000 : Integer.parseInt(args[0]);
        Duration window = Duration.ofSeconds(args.length < 2 ? 10 : Long.parseLong(args[1]));
        ListenedWrites listened = new ListenedWrites();
        ServiceModel model = new ServiceModel(Duration.ofMillis(20), COMMITS_A_SECOND, Prices.US_CENTRAL1);
        Firestore plain = FirestoreEmulator.shared().connect("demo-benchmark");
        Firestore modelled =
                FirestoreEmulator.shared().connect("demo-benchmark", UnaryOperator.identity(), model, listened);
        String run = UUID.randomUUID() + "/";
        // One shard each: the emulator's sums slow down with its number of documents.
        FirestoreCounterOptions one =
                FirestoreCounterOptions.builder().shards(1).build();
        try (Counters counters = Counters.over(FirestoreCounterBackend.create(plain, one))) {
            CompareAtScale.addToEach(counters, run, names);
        }
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .keepFresh(run)
                .writesPerShard(COMMITS_A_SECOND, 10)
                .build();
        try (Counters counters = Counters.over(
                FirestoreCounterBackend.create(modelled, options),
                CountersOptions.builder().deadline(Duration.ofMinutes(1)).build())) {
            LoadResult result = ClosedLoop.run(
                    IN_FLIGHT,
                    window,
                    () -> counters.counter(run + ThreadLocalRandom.current().nextInt(names))
                            .async()
                            .add(1));
            System.out.printf(
                    "%d counters kept fresh, %.0f adds a second: %s%n", names, result.rate(), listened.perSecond());
        }
        modelled.shutdown();
        plain.shutdown();
    }

    /** Returns the writes of each whole second. */
    private synchronized String perSecond() {
        int most = writes.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return "writes into the collection of counters " + writes.values() + ", at most " + most + " a second";
    }

    private synchronized void count(CommitRequest commit) {
        for (Write write : commit.getWritesList()) {
            if (write.getUpdate().getName().matches(".*/documents/counters/[^/]+")) {
                writes.merge(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()), 1, Integer::sum);
            }
        }
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void sendMessage(Q message) {
                if (message instanceof CommitRequest commit) {
                    count(commit);
                }
                super.sendMessage(message);
            }
        };
    }
}
