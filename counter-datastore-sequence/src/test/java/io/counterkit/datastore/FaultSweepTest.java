package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Sequence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each call to the Datastore fails, before it is carried out and after, in each way that the Datastore knows. */
class FaultSweepTest extends StoreTest {
    private final Counters counters = counters();

    /** What a process does, and what must hold after it, {@code times} after it was applied so often. */
    private interface Operation {
        /** Carries it out as a caller would who wants it once. */
        void run(Counters process, IdempotencyToken token);
    }

    /** Runs it with each fault at its first call, its second, and so on; how often it ran. */
    private int sweep(Operation operation) {
        int runs = 0;
        for (Disturbance disturbance : Disturbance.all()) {
            AtomicInteger left = new AtomicInteger();
            for (int call = 1; left.get() <= 0; call++) {
                assertThat(call).as("calls of one operation").isLessThan(60);
                left.set(call);
                store.delegate().disturb(method -> left.decrementAndGet() == 0 ? disturbance : null);
                untilApplied(operation, counters());
                store.delegate().release();
                runs++;
            }
        }
        return runs;
    }

    private static void untilApplied(Operation operation, Counters process) {
        IdempotencyToken token = IdempotencyToken.random();
        for (int attempt = 1; ; attempt++) {
            try {
                operation.run(process, token);
                return;
            } catch (CounterException e) {
                assertThat(attempt)
                        .as("attempts of one operation with one fault: %s", e)
                        .isLessThan(5);
            }
        }
    }

    @Test
    void appendWithATokenAndASubject() {
        Sequence sequence = counters.sequence("s");
        int runs = sweep((process, token) ->
                process.sequence("s").append(Change.ADDED, token.value(), Map.of("token", token.value()), token));
        assertThat(sequence.last()).isEqualTo(runs);
        assertThat(sequence.liveCount()).isEqualTo(runs);
        Set<Object> tokens = new HashSet<>();
        for (long from = 1; from <= runs; from += 1000) {
            sequence.read(from, from + 999)
                    .forEach(entry -> tokens.add(entry.fields().get("token")));
        }
        assertThat(tokens).hasSize(runs);
    }

    @Test
    void appendWithoutAToken() {
        int runs = sweep((process, token) -> repeating(given -> given == null
                ? process.sequence("s").append(Map.of()).number()
                : process.sequence("s").append(Map.of(), given).number()));
        assertThat(counters.sequence("s").last()).isEqualTo(runs);
        assertThat(counters.sequence("s").liveCount()).isEqualTo(runs);
    }

    @Test
    void addWithAndWithoutAToken() {
        int runs = sweep((process, token) -> process.counter("c").add(3, token));
        runs += sweep((process, token) -> repeating(given -> {
            if (given == null) {
                process.counter("c").add(3);
            } else {
                process.counter("c").add(3, given);
            }
            return 0L;
        }));
        assertThat(counters.counter("c").get()).isEqualTo(3L * runs);
    }

    private interface Repeatable {
        long with(IdempotencyToken token);
    }

    private static void repeating(Repeatable change) {
        try {
            change.with(null);
        } catch (OutcomeUnknownException e) {
            change.with(e.token());
        }
    }

    @Test
    void resetAndDeletion() {
        Counter counter = counters.counter("c");
        sweep((process, token) -> {
            counter.add(5);
            process.counter("c").reset();
            assertThat(counter.get()).isZero();
        });
        sweep((process, token) -> {
            counter.add(5);
            process.counter("c").delete();
            assertThat(counter.get()).isZero();
        });
        assertThat(counters.counterNames("").names()).isEmpty();
    }

    @Test
    void seal() {
        List<String> sealed = new ArrayList<>();
        sweep((process, token) -> {
            String name = token.value();
            Sequence sequence = process.sequence(name);
            if (!sealed.contains(name)) {
                sealed.add(name);
                sequence.append(Map.of(), token);
            }
            assertThat(sequence.seal("elsewhere").last()).isEqualTo(sequence.last());
        });
    }

    @Test
    void halfOfAllCallsFailAtRandom() throws Exception {
        for (double probability : new double[] {0.1, 0.2, 0.5}) {
            Random random = new Random(17);
            List<Disturbance> all = Disturbance.all();
            String name = "s" + probability;
            ConcurrentLinkedQueue<Long> numbers = new ConcurrentLinkedQueue<>();
            Counters[] processes = {counters(), counters()};
            store.delegate().disturb(method -> {
                synchronized (random) {
                    return random.nextDouble() < probability ? all.get(random.nextInt(all.size())) : null;
                }
            });
            Threads.runAll(store, 4, thread -> {
                for (int i = 0; i < 12; i++) {
                    IdempotencyToken token = IdempotencyToken.of(name + "/" + thread + "/" + i);
                    untilApplied(
                            (process, unused) -> numbers.add(process.sequence(name)
                                    .append(Change.ADDED, token.value(), Map.of("token", token.value()), token)
                                    .number()),
                            processes[thread % 2]);
                    untilApplied(
                            (process, unused) -> process.counter(name).add(7, of(token)),
                            processes[ThreadLocalRandom.current().nextInt(2)]);
                }
            });
            store.delegate().release();
            List<Entry> entries = counters.sequence(name).read(1, 1000);
            assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(firstNumbers(48));
            assertThat(numbers).containsExactlyInAnyOrderElementsOf(firstNumbers(48));
            assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(firstNumbers(48));
            assertThat(entries.stream()
                            .map(entry -> entry.fields().get("token"))
                            .distinct())
                    .hasSize(48);
            assertThat(counters.counter(name).get()).isEqualTo(7 * 48);
        }
    }

    private static IdempotencyToken of(IdempotencyToken token) {
        return IdempotencyToken.of("add/" + token.value());
    }

    private static List<Long> firstNumbers(long n) {
        List<Long> numbers = new ArrayList<>();
        for (long number = 1; number <= n; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
