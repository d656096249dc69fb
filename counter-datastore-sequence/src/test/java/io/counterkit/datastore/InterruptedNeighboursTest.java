package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.fixture.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Eight threads add to one counter, and some are interrupted, which does not affect the others. */
class InterruptedNeighboursTest extends StoreTest {
    private static final int THREADS = 8;
    private static final int INTERRUPTED = 3;
    private static final int ADDS = 40;

    private final String name = "c-" + UUID.randomUUID();

    @Test
    void addsOfThreadsThatAreNeverInterrupted_allSucceed() throws Exception {
        Counters shared = counters();
        Counter counter = shared.counter(name);
        counter.add(0);
        List<Thread> victims = new ArrayList<>();
        AtomicInteger working = new AtomicInteger(THREADS - INTERRUPTED);
        AtomicLong applied = new AtomicLong();
        ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<IdempotencyToken> unknown = new ConcurrentLinkedQueue<>();
        Random random = new Random(17);
        // Interrupts during a call, which is often that of a leader.
        store.delegate().disturb(method -> {
            synchronized (victims) {
                if (!victims.isEmpty() && random.nextInt(4) == 0) {
                    victims.get(random.nextInt(victims.size())).interrupt();
                }
            }
            return null;
        });

        Threads.runAll(store, THREADS, number -> {
            if (number < INTERRUPTED) {
                synchronized (victims) {
                    victims.add(Thread.currentThread());
                }
                while (working.get() > 0) {
                    boolean unused = Thread.interrupted();
                    try {
                        counter.add(1);
                        applied.incrementAndGet();
                    } catch (OutcomeUnknownException e) {
                        unknown.add(e.token());
                    } catch (CounterException e) {
                        // not applied, since it was interrupted
                    }
                }
                synchronized (victims) {
                    victims.remove(Thread.currentThread());
                }
                boolean unused = Thread.interrupted();
                return;
            }
            try {
                for (int i = 0; i < ADDS; i++) {
                    try {
                        counter.add(1);
                        applied.incrementAndGet();
                    } catch (CounterException e) {
                        failed.add(e);
                        if (e instanceof OutcomeUnknownException open) {
                            unknown.add(open.token());
                        }
                    }
                }
            } finally {
                working.decrementAndGet();
            }
        });

        store.delegate().release();
        assertThat(failed).as("failures of threads that were never interrupted").isEmpty();
        long late = unknown.stream()
                .filter(token -> shared.resolve(token).applied())
                .count();
        assertThat(counter.get()).isEqualTo(applied.get() + late);
    }
}
