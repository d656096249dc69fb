package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The whole contract on one kind of a Datastore. It takes minutes; {@link EmulatorChapters} has what takes seconds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmulatorContract extends CounterBackendContract {
    private static final int PROCESSES = 8;
    private static final int APPENDS = 20;

    private final Emulator emulator;

    EmulatorContract(Emulator emulator) {
        this.emulator = emulator;
    }

    @AfterAll
    final void stopEmulator() {
        emulator.stop();
    }

    @Override
    protected final BackendFixture createFixture() {
        return emulator.store();
    }

    /** Each backend acts as a process: nothing combines their appends. */
    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void eightProcessesOnOneSequenceGetOneToN() throws Exception {
        String name = UUID.randomUUID().toString();
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();
        List<Long> numbers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        try (BackendFixture fixture = createFixture()) {
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int process = 0; process < PROCESSES; process++) {
                writers.add(threads.submit(() -> {
                    try (Counters counters = Counters.over(fixture.connect(), patient)) {
                        return append(counters.sequence(name));
                    }
                }));
            }
            for (Future<List<Long>> writer : writers) {
                numbers.addAll(writer.get());
            }
            int appends = PROCESSES * APPENDS;
            List<Long> oneToN = LongStream.rangeClosed(1, appends).boxed().toList();
            assertThat(numbers).containsExactlyInAnyOrderElementsOf(oneToN);
            try (Counters counters = Counters.over(fixture.connect())) {
                assertThat(counters.sequence(name).tail()).isEqualTo(new Tail(appends, appends, null));
                assertThat(counters.sequence(name).read(1, appends))
                        .extracting(Entry::liveCount)
                        .containsExactlyElementsOf(oneToN);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static List<Long> append(Sequence sequence) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < APPENDS; i++) {
            numbers.add(sequence.next());
        }
        return numbers;
    }
}
