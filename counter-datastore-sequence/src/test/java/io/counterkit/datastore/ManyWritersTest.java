package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.CountersOptions;
import io.counterkit.Sequence;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Many threads on few sequences. */
class ManyWritersTest extends StoreTest {
    private static final System.Logger LOG = System.getLogger(ManyWritersTest.class.getName());

    @Test
    void thirtyTwoThreadsOnFourSequencesGetOneToN() throws Exception {
        AtomicInteger conflicts = new AtomicInteger();
        Counters counters = Counters.over(
                backend(),
                CountersOptions.builder()
                        .listener(new CountersListener() {
                            @Override
                            public void onConflict(String name) {
                                conflicts.incrementAndGet();
                            }
                        })
                        .build());
        List<ConcurrentLinkedQueue<Long>> numbers = IntStream.range(0, 4)
                .mapToObj(i -> new ConcurrentLinkedQueue<Long>())
                .toList();
        int calls = store.delegate().calls();
        Threads.runAll(store, 32, thread -> {
            Sequence sequence = counters.sequence("s" + thread % 4);
            for (int i = 0; i < 30; i++) {
                numbers.get(thread % 4).add(sequence.next());
            }
        });
        for (int i = 0; i < 4; i++) {
            assertThat(numbers.get(i))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.rangeClosed(1, 240).boxed().toList());
            assertThat(counters.sequence("s" + i).last()).isEqualTo(240);
        }
        LOG.log(
                System.Logger.Level.INFO,
                "960 appends: {0} retries, {1} calls",
                conflicts,
                store.delegate().calls() - calls);
    }
}
