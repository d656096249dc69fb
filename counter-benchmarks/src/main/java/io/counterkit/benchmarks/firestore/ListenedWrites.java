package io.counterkit.benchmarks.firestore;

import com.google.cloud.firestore.Firestore;
import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Write;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.benchmarks.Arguments;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Counts the writes a second into the collection of counters, to which pages listen, while processes add to many
 * counters and keep their roll-ups fresh. Uses a {@linkplain ServiceModel model} of the live service over a
 * {@linkplain ModelledStore store in memory}. Google advises fewer than 1,000.
 *
 * <pre>{@code
 * java -cp counter-benchmarks/target/benchmarks.jar io.counterkit.benchmarks.firestore.ListenedWrites [counters [seconds [cadence [processes]]]]
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
        Arguments arguments = Arguments.of(args);
        int names = (int) arguments.numberAt(0, 2_000);
        Duration window = Duration.ofSeconds((long) arguments.numberAt(1, 10));
        Duration cadence = Duration.ofSeconds((long) arguments.numberAt(2, 1));
        int processes = (int) arguments.numberAt(3, 1);
        ListenedWrites listened = new ListenedWrites();
        ServiceModel model = new ServiceModel(Duration.ofMillis(20), COMMITS_A_SECOND, Prices.US_CENTRAL1);
        // The emulator is there for the client's settings only: the modelled store answers.
        Firestore modelled = FirestoreEmulator.shared()
                .connect("demo-benchmark", UnaryOperator.identity(), new ModelledStore(), model, listened);
        String run = UUID.randomUUID() + "/";
        FirestoreCounterOptions options = FirestoreCounterOptions.builder()
                .shards(1)
                .keepFresh(run)
                .rollupCadence(cadence)
                .writesPerShard(COMMITS_A_SECOND, 10)
                .build();
        List<Counters> all = IntStream.range(0, processes)
                .mapToObj(i -> Counters.over(
                        FirestoreCounterBackend.create(modelled, options),
                        CountersOptions.builder()
                                .deadline(Duration.ofMinutes(1))
                                .build()))
                .toList();
        model.setTransparent(true);
        CompareAtScale.addToEach(all.get(0), run, names);
        model.setTransparent(false);
        listened.reset();
        LoadResult result = ClosedLoop.run(IN_FLIGHT, window, () -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            return all.get(random.nextInt(processes))
                    .counter(run + random.nextInt(names))
                    .async()
                    .add(1);
        });
        System.out.printf(
                "%d counters kept fresh by %d processes with a cadence of %d s, %.0f adds a second: %s%n",
                names, processes, cadence.toSeconds(), result.rate(), listened.perSecond());
        all.forEach(Counters::close);
        modelled.shutdown();
    }

    private synchronized void reset() {
        writes.clear();
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
