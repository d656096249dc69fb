package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that write one SQLite file are killed at random: what they printed as acknowledged is there, and once. */
class SqliteKilledProcessTest {
    private static final int THREADS = 3;
    private static final CountersOptions PATIENT =
            CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();

    @TempDir
    Path directory;

    private static Counters open(Path file) {
        return Counters.over(
                JdbcCounterBackend.create(
                        SqliteFixture.file(file),
                        JdbcCounterOptions.builder().createTables(true).build()),
                PATIENT);
    }

    /** Adds and appends under tokens until it is killed, and prints what is acknowledged: thread, index, number. */
    public static void main(String[] arguments) {
        Counters counters = open(Path.of(arguments[0]));
        for (int thread = 0; thread < THREADS; thread++) {
            String writer = arguments[1] + "/" + thread;
            new Thread(() -> write(counters, writer)).start();
        }
    }

    private static void write(Counters counters, String writer) {
        for (int i = 0; ; i++) {
            counters.counter("likes").add(1, token("add", writer, i));
            Entry entry =
                    counters.sequence("orders").append(Map.of("id", writer + "/" + i), token("append", writer, i));
            synchronized (System.out) {
                System.out.print(writer + " " + i + " " + entry.number() + "\n");
                System.out.flush();
            }
        }
    }

    private static IdempotencyToken token(String kind, String writer, int i) {
        return IdempotencyToken.of(kind + "/" + writer + "/" + i);
    }

    @Test
    void acknowledgedChangesAreThereOnce() throws Exception {
        killAndCheck(2, 1);
    }

    @Test
    @Tag("exhaustive")
    void acknowledgedChangesOfTwoProcessesAreThereOnce() throws Exception {
        killAndCheck(8, 2);
    }

    private void killAndCheck(int rounds, int processes) throws Exception {
        Path file = directory.resolve("counters.db");
        Random random = new Random();
        Map<String, List<Long>> acknowledged = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            List<Process> running = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                String process = round + "/" + i;
                for (int thread = 0; thread < THREADS; thread++) {
                    acknowledged.put(process + "/" + thread, new ArrayList<>());
                }
                running.add(start(file, process));
            }
            try {
                for (Process process : running) {
                    readAndKill(process, 1 + random.nextInt(60), acknowledged);
                }
            } finally {
                running.forEach(Process::destroyForcibly);
            }
        }
        try (Counters counters = open(file)) {
            check(counters, acknowledged);
        }
        assertThat(SchemaTest.text(SqliteFixture.file(file), "PRAGMA integrity_check"))
                .isEqualTo("ok");
    }

    private static Process start(Path file, String writer) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SqliteKilledProcessTest.class.getName(),
                        file.toString(),
                        writer)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Kills a process after so many lines. What it printed until then was acknowledged. */
    private static void readAndKill(Process process, int lines, Map<String, List<Long>> acknowledged)
            throws IOException, InterruptedException {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            int read = 0;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] words = line.split(" ", -1);
                if (words.length == 3 && !words[2].isEmpty()) { // the last one may be cut off
                    List<Long> numbers = Objects.requireNonNull(acknowledged.get(words[0]));
                    assertThat(numbers).hasSize(Integer.parseInt(words[1]));
                    numbers.add(Long.parseLong(words[2]));
                }
                if (++read == lines) {
                    assertThat(process.toHandle().destroyForcibly()).isTrue(); // leaves what it printed readable
                }
            }
        }
        process.waitFor();
    }

    private static void check(Counters counters, Map<String, List<Long>> acknowledged) throws SQLException {
        Map<Long, String> ids = new HashMap<>();
        long last = counters.sequence("orders").last();
        for (long from = 1; from <= last; from += 1_000) {
            for (Entry entry : counters.sequence("orders").read(from, Math.min(last, from + 999))) {
                ids.put(entry.number(), String.valueOf(entry.fields().get("id")));
            }
        }
        assertThat(ids).hasSize((int) last);
        Set<String> distinct = new HashSet<>(ids.values());
        assertThat(distinct).as("each appended once").hasSameSizeAs(ids.values());
        long adds = 0;
        long appends = 0;
        for (Map.Entry<String, List<Long>> writer : acknowledged.entrySet()) {
            List<Long> numbers = writer.getValue();
            for (int i = 0; i <= numbers.size(); i++) { // the last one was not acknowledged, and may be there
                boolean isAdded =
                        counters.resolve(token("add", writer.getKey(), i)).applied();
                boolean isAppended =
                        counters.resolve(token("append", writer.getKey(), i)).applied();
                if (i < numbers.size()) {
                    assertThat(isAdded && isAppended).as("%s %s", writer, i).isTrue();
                    assertThat(ids.get(numbers.get(i))).isEqualTo(writer.getKey() + "/" + i);
                }
                adds += isAdded ? 1 : 0;
                appends += isAppended ? 1 : 0;
            }
        }
        assertThat(counters.counter("likes").get()).isEqualTo(adds);
        assertThat(last).isEqualTo(appends);
    }
}
