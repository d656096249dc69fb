package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.firestore.fixture.FirestoreFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs two JVMs on the same counters and the same sequence. One of them is killed during its work and repeated with the
 * same tokens, twice.
 */
@Tag("exhaustive")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class TwoProcessesTest {
    private final FirestoreFixture fixture = new FirestoreFixture();
    private final String run = UUID.randomUUID().toString();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
        fixture.close();
    }

    @Test
    void oneIsKilledAndItsWorkRepeated_everythingIsThereOnce() throws Exception {
        Process steady = start("steady");
        killAfter(ProcessWork.ROUNDS / 3, start("killed"));
        assertThat(steady.isAlive()).as("the other one is at work").isTrue();
        killAfter(ProcessWork.ROUNDS / 2, start("killed"));
        Process last = start("killed");
        awaitRounds(ProcessWork.ROUNDS_ALONE, steady);
        awaitRounds(ProcessWork.ROUNDS_ALONE, last);
        letFinish(steady);
        letFinish(last);
        assertThat(finished(last)).isZero();
        assertThat(finished(steady)).isZero();

        try (Counters counters = Counters.over(fixture.connect())) {
            for (int i = 0; i < ProcessWork.COUNTERS; i++) {
                assertThat(counters.counter(ProcessWork.counter(run, i)).get())
                        .as("counter %s", i)
                        .isEqualTo(2 * ProcessWork.totalOf(i));
            }
            assertSequence(counters.sequence(run));
        }
    }

    /** Kills a process after a number of rounds, when it starts the next. */
    private static void killAfter(int rounds, Process process) throws IOException, InterruptedException {
        try (BufferedReader output = awaitRounds(rounds, process)) {
            // By its handle: Process.destroyForcibly would discard the output.
            assertThat(process.toHandle().destroyForcibly()).isTrue();
            assertThat(process.waitFor())
                    .as("exit code of a process that was killed")
                    .isEqualTo(128 + 9);
            assertThat(rounds + output.lines().count()).as("rounds done").isLessThan(ProcessWork.ROUNDS);
        }
    }

    private static BufferedReader awaitRounds(int rounds, Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (int round = 0; round < rounds; round++) {
            assertThat(output.readLine()).isEqualTo("round " + round);
        }
        return output;
    }

    private static void letFinish(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    private void assertSequence(Sequence sequence) {
        int entries = 2 * ProcessWork.ROUNDS * ProcessWork.APPENDS;
        assertThat(sequence.tail()).isEqualTo(new Tail(entries, entries, null));
        List<Entry> read = new ArrayList<>();
        for (long from = 1; from <= entries; from += 1000) {
            read.addAll(sequence.read(from, from + 999));
        }
        assertThat(read.stream().map(Entry::number))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, entries).boxed().toList());
        assertThat(read.stream().map(entry -> entry.fields().get("work")))
                .containsExactlyInAnyOrderElementsOf(List.of("steady", "killed").stream()
                        .flatMap(who -> IntStream.range(0, ProcessWork.ROUNDS)
                                .boxed()
                                .flatMap(round -> IntStream.range(0, ProcessWork.APPENDS)
                                        .mapToObj(i -> (Object) ProcessWork.workOf(who, round, i))))
                        .toList());
    }

    private static int finished(Process process) throws IOException {
        try (BufferedReader rounds = process.inputReader(StandardCharsets.UTF_8)) {
            while (rounds.readLine() != null) {
                // It waits for no other process.
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> !process.isAlive());
        return process.exitValue();
    }

    private Process start(String who) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ProcessWork.class.getName(),
                        FirestoreFixture.emulator().hostAndPort(),
                        fixture.project(),
                        run,
                        who)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }
}
