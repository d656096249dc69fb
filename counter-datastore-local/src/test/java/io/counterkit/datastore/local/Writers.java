package io.counterkit.datastore.local;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * A process that changes and reads a local Datastore on eight threads, and prints the outcome of each call, for
 * {@link RecordedOutcomes}. It ends only if the store fails for all threads.
 */
final class Writers {
    private static final int THREADS = 8;
    private static final int FAILURES = 4;

    private final Counters counters;
    private final AtomicInteger acknowledged = new AtomicInteger();

    private Writers(Counters counters) {
        this.counters = counters;
    }

    /** Arguments: the directory, the durability, a seed, and whether the threads are interrupted at random. */
    public static void main(String[] arguments) throws InterruptedException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(Long.parseLong(arguments[2]));
        LocalDatastore datastore = LocalDatastore.open(Path.of(arguments[0]), Durability.valueOf(arguments[1]));
        Writers first = new Writers(Counters.over(datastore.backend()));
        Writers second = new Writers(Counters.over(datastore.backend()));
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(i -> new Thread(() -> (i % 2 == 0 ? first : second).work()))
                .toList();
        threads.forEach(Thread::start);
        if (Boolean.parseBoolean(arguments[3])) {
            while (threads.stream().anyMatch(Thread::isAlive)) {
                threads.get(random.nextInt(THREADS)).interrupt();
                LockSupport.parkNanos(random.nextInt(3_000_000));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        first.counters.close();
        second.counters.close();
        try {
            datastore.close();
            print("closed");
        } catch (RuntimeException e) {
            print("not closed: " + e.getMessage());
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }

    private void work() {
        int failures = 0;
        while (failures < FAILURES) {
            IdempotencyToken token = IdempotencyToken.random();
            print("send " + token);
            boolean isAdd = token.hashCode() % 2 == 0;
            try {
                change(token, isAdd);
                read();
                failures = 0;
            } catch (OutcomeUnknownException e) {
                print("unknown " + token + " " + e.getMessage());
                failures = settle(token, isAdd) ? 0 : failures + 1;
            } catch (CounterException e) {
                boolean isInterrupt = Thread.interrupted();
                print("not " + token + " " + e.getMessage());
                failures = isInterrupt ? 0 : failures + 1;
            }
        }
    }

    private void change(IdempotencyToken token, boolean isAdd) {
        if (isAdd) {
            counters.counter("c").add(1, token);
            acknowledged.incrementAndGet();
            print("added " + token);
        } else {
            long number = counters.sequence("s")
                    .append(Map.of("token", token.value()), token)
                    .number();
            print("appended " + token + " " + number);
        }
    }

    private void read() {
        int before = acknowledged.get();
        try {
            print("read " + before + " " + counters.counter("c").get());
        } catch (CounterException e) {
            boolean unused = Thread.interrupted();
            print("unread " + e.getMessage());
        }
    }

    /** Resolves the token or sends the change again. Returns whether the outcome is known then. */
    private boolean settle(IdempotencyToken token, boolean isAdd) {
        boolean unused = Thread.interrupted();
        try {
            if (token.hashCode() % 3 == 0) {
                change(token, isAdd);
            } else {
                Resolution resolved = counters.resolve(token);
                print((resolved.applied() ? "applied " : "never ") + token);
            }
            return true;
        } catch (CounterException e) {
            print("unsettled " + token + " " + e.getMessage());
            return false;
        }
    }
}
