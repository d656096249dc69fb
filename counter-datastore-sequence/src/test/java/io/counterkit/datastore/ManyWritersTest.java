package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.fixture.Threads;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many threads on few sequences. */
class ManyWritersTest extends StoreTest {
    private static final System.Logger LOG = System.getLogger(ManyWritersTest.class.getName());
    private static final int THREADS = 32;

    private final AtomicInteger retries = new AtomicInteger();
    private final CountersOptions counting = CountersOptions.builder()
            .listener(new CountersListener() {
                @Override
                public void onConflict(String name) {
                    retries.incrementAndGet();
                }

                @Override
                public void onRetry(Throwable cause) {
                    retries.incrementAndGet();
                }
            })
            .build();

    @Test
    void thirtyTwoThreadsOnFourSequencesGetOneToN() throws Exception {
        Counters counters = Counters.over(backend(), counting);
        appendAtOnce(4, 30, thread -> counters);
    }

    /** The threads of one process are combined, so each process competes with three others. */
    @Test
    void thirtyTwoThreadsOfFourProcessesOnOneSequenceGetOneToN() throws Exception {
        List<Counters> processes = IntStream.range(0, 4)
                .mapToObj(i -> Counters.over(backend(), counting))
                .toList();
        appendAtOnce(1, 20, thread -> processes.get(thread % 4));
        assertThat(retries).hasPositiveValue();
    }

    private interface ProcessOf {
        Counters thread(int thread);
    }

    private void appendAtOnce(int sequences, int appends, ProcessOf processes) throws Exception {
        List<ConcurrentLinkedQueue<Long>> numbers = IntStream.range(0, sequences)
                .mapToObj(i -> new ConcurrentLinkedQueue<Long>())
                .toList();
        CyclicBarrier ready = new CyclicBarrier(THREADS);
        int calls = store.delegate().calls();
        Threads.runAll(store, THREADS, thread -> {
            Sequence sequence = processes.thread(thread).sequence("s" + thread % sequences);
            ready.await();
            for (int i = 0; i < appends; i++) {
                numbers.get(thread % sequences).add(sequence.next());
            }
        });
        double all = THREADS * appends;
        LOG.log(
                System.Logger.Level.INFO,
                "{0} appends to {1}: {2} retries and {3} calls an append",
                all,
                sequences,
                retries.get() / all,
                (store.delegate().calls() - calls) / all);
        List<Long> oneToN =
                LongStream.rangeClosed(1, THREADS * appends / sequences).boxed().toList();
        for (int i = 0; i < sequences; i++) {
            assertThat(numbers.get(i)).containsExactlyInAnyOrderElementsOf(oneToN);
            List<Entry> entries = counters().sequence("s" + i).read(1, 1000);
            assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(oneToN);
            assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(oneToN);
        }
    }
}
