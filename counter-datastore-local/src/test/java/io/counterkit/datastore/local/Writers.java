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
 * {@link RecordedOutcomes}. It ends when the store has failed for all threads, or never.
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
            tell("closed");
        } catch (RuntimeException e) {
            tell("not closed: " + e.getMessage());
        }
    }

    private static void tell(String line) {
        System.out.println(line);
    }

    private void work() {
        int failures = 0;
        while (failures < FAILURES) {
            IdempotencyToken token = IdempotencyToken.random();
            tell("send " + token);
            boolean isAdd = token.hashCode() % 2 == 0;
            try {
                change(token, isAdd);
                read();
                failures = 0;
            } catch (OutcomeUnknownException e) {
                tell("unknown " + token + " " + e.getMessage());
                failures = settle(token, isAdd) ? 0 : failures + 1;
            } catch (CounterException e) {
                boolean isInterrupt = Thread.interrupted();
                tell("not " + token + " " + e.getMessage());
                failures = isInterrupt ? 0 : failures + 1;
            }
        }
    }

    private void change(IdempotencyToken token, boolean isAdd) {
        if (isAdd) {
            counters.counter("c").add(1, token);
            acknowledged.incrementAndGet();
            tell("added " + token);
        } else {
            long number = counters.sequence("s")
                    .append(Map.of("token", token.value()), token)
                    .number();
            tell("appended " + token + " " + number);
        }
    }

    private void read() {
        int before = acknowledged.get();
        try {
            tell("read " + before + " " + counters.counter("c").get());
        } catch (CounterException e) {
            boolean unused = Thread.interrupted();
            tell("unread " + e.getMessage());
        }
    }

    /** Returns whether the outcome is known in the end: the token is resolved, or sent again. */
    private boolean settle(IdempotencyToken token, boolean isAdd) {
        boolean unused = Thread.interrupted();
        try {
            if (token.hashCode() % 3 == 0) {
                change(token, isAdd);
            } else {
                Resolution resolved = counters.resolve(token);
                tell((resolved.applied() ? "applied " : "never ") + token);
            }
            return true;
        } catch (CounterException e) {
            tell("unsettled " + token + " " + e.getMessage());
            return false;
        }
    }
}
