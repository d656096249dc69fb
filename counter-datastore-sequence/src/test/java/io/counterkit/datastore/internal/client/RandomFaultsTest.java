package io.counterkit.datastore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.Threads;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes among random faults. */
@Tag("exhaustive")
class RandomFaultsTest extends FaultSweepSetup {
    /** Creates a process with short pauses, since it retries often when half of all calls fail. */
    private static DatastoreSequenceBackend hasty() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .pauses(Duration.ofNanos(100_000), Duration.ofMillis(1))
                .build());
    }

    /** Includes resets and removals, so that totals and live counts fall too. */
    @Test
    void everyKindOfChangeAmongRandomFaults() {
        Random random = new Random(17);
        List<Disturbance> all = Disturbance.all();
        for (double probability : new double[] {0.1, 0.3, 0.5}) {
            String name = "s" + probability;
            long total = 0;
            Set<String> live = new LinkedHashSet<>();
            int entries = 0;
            store.delegate()
                    .disturb(method -> random.nextDouble() < probability ? all.get(random.nextInt(all.size())) : null);
            for (int i = 0; i < 40; i++) {
                IdempotencyToken token = IdempotencyToken.of(name + "/" + i);
                String subject = live.isEmpty() || random.nextBoolean()
                        ? token.value()
                        : live.iterator().next();
                Change change = live.remove(subject) ? Change.REMOVED : Change.ADDED;
                untilApplied(
                        (process, unused) -> process.sequence(name).append(change, subject, Map.of(), token),
                        Counters.over(hasty()));
                if (change == Change.ADDED) {
                    live.add(subject);
                }
                entries++;
                DatastoreSequenceBackend backend = hasty();
                untilApplied(
                        (process, unused) -> backend.transact(IdempotencyToken.of("tx/" + token.value()), tx -> {
                            tx.append(name, Map.of());
                            tx.add(name, 7);
                        }),
                        Counters.over(hasty()));
                entries++;
                total += 7;
                if (i % 10 == 9) {
                    untilApplied((process, unused) -> process.counter(name).reset(), Counters.over(hasty()));
                    total = 0;
                }
            }
            store.delegate().release();
            Sequence sequence = counters.sequence(name);
            assertThat(sequence.read(1, 1000))
                    .extracting(Entry::number)
                    .containsExactlyElementsOf(firstNumbers(entries));
            assertThat(sequence.liveCount()).isEqualTo(live.size() + entries / 2);
            assertThat(counters.counter(name).get()).isEqualTo(total);
        }
    }

    @Test
    void halfOfAllCallsFailAtRandom() throws Exception {
        for (double probability : new double[] {0.1, 0.2, 0.5}) {
            Random random = new Random(17);
            List<Disturbance> all = Disturbance.all();
            String name = "s" + probability;
            ConcurrentLinkedQueue<Long> numbers = new ConcurrentLinkedQueue<>();
            Counters[] processes = {Counters.over(hasty()), Counters.over(hasty())};
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
            assertThat(count("CounterKitEntry") % 96).as("unknown entries").isZero();
        }
    }
}
