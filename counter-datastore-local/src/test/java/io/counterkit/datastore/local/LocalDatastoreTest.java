package io.counterkit.datastore.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.inject.Guice;
import com.google.inject.Injector;
import io.counterkit.Counters;
import io.counterkit.datastore.local.guice.LocalDatastoreCounterModule;
import io.counterkit.datastore.local.internal.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of processes that compete for the directory, or that are killed. */
class LocalDatastoreTest {
    @TempDir
    Path parent;

    private Path directory;

    @BeforeEach
    void chooseDirectory() {
        directory = parent.resolve("made");
    }

    private DataDirectory open() {
        return DataDirectory.open(directory);
    }

    @Test
    void secondHolderIsRefused() {
        DataDirectory first = open();
        assertThatExceptionOfType(DirectoryInUseException.class)
                .isThrownBy(this::open)
                .withMessageContaining(directory.toString())
                .withMessageContaining("process " + ProcessHandle.current().pid())
                .withMessageContaining("another directory");
        first.end(true);
        open().end(true);
    }

    @Test
    void secondHolderIsRefusedWhileTheFirstOpensOrCloses() throws IOException {
        DataDirectory first = open();
        Files.delete(directory.resolve("running"));
        assertThatExceptionOfType(DirectoryInUseException.class)
                .isThrownBy(this::open)
                .satisfies(refused -> assertThat(refused.holder()).isEmpty());
        first.end(false);
    }

    @Test
    void holderThatDidNotCloseIsReportedOnce() {
        open().end(false);
        DataDirectory next = open();
        assertThat(next.abandonedBy())
                .contains("process " + ProcessHandle.current().pid());
        next.end(true);
        DataDirectory last = open();
        assertThat(last.abandonedBy()).isNull();
        last.end(true);
    }

    @Test
    void killedProcessThatWritesWhenClosedChangesNothing() throws IOException {
        change(5);
        Path data = directory.resolve("datastore.bin");
        byte[] before = Files.readAllBytes(data);
        DataDirectory killed = open();
        Files.writeString(directory.resolve("datastore.next"), "half written");
        assertThat(Files.readAllBytes(data)).isEqualTo(before);
        killed.end(false);
        assertThat(change(1)).isEqualTo(6);
    }

    private long change(long delta) {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED);
                Counters counters = Counters.over(datastore.backend())) {
            counters.counter("c").add(delta);
            return counters.counter("c").get();
        }
    }

    @Test
    void fileOfAnotherProgramIsNotOverwritten() throws IOException {
        Files.createDirectories(directory);
        Path data = directory.resolve("datastore.bin");
        Files.writeString(data, "something else");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalDatastore.open(directory, Durability.WHEN_CLOSED))
                .withMessageContaining(data.toString());
        assertThat(data).hasContent("something else");
    }

    @Test
    void fileInPlaceOfADirectoryIsRefused() throws IOException {
        Files.writeString(directory, "something else");
        for (Path path : List.of(directory, directory.resolve("below"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LocalDatastore.open(path, Durability.WHEN_CLOSED))
                    .withMessageContaining(directory + " is not a directory")
                    .withMessageContaining("choose another directory")
                    .withMessageNotContaining("Exception");
        }
    }

    @Test
    void processHasOneLocalDatastore() {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED)) {
            assertThat(datastore.abandonedBy()).isNull();
            assertThatIllegalStateException()
                    .isThrownBy(() -> LocalDatastore.open(parent.resolve("other"), Durability.WHEN_CLOSED))
                    .withMessageContaining("close it");
        }
        assertThat(change(1)).isEqualTo(1);
    }

    @Test
    void acknowledgedChangesSurviveAKill() throws Exception {
        Path said = parent.resolve("said");
        for (int run = 1; run <= 2; run++) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Killed.class.getName(),
                            directory.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(ended).isTrue();
            assertThat(process.exitValue()).as("%s", Files.readString(said)).isEqualTo(Killed.EXIT_CODE);
        }
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.EACH_COMMIT);
                Counters counters = Counters.over(datastore.backend())) {
            assertThat(datastore.abandonedBy()).startsWith(" (process ");
            assertThat(counters.counter("c").get()).isEqualTo(2 * Killed.ADDS);
            assertThat(counters.sequence("s").read(1, 1000))
                    .extracting(entry -> entry.number())
                    .isEqualTo(
                            LongStream.rangeClosed(1, 2 * Killed.ADDS).boxed().toList());
        }
    }

    /** Makes changes on several threads, and ends without closing the Datastore. */
    static final class Killed {
        static final int ADDS = 40;
        static final int EXIT_CODE = 17;

        private Killed() {}

        public static void main(String[] arguments) throws InterruptedException {
            LocalDatastore datastore = LocalDatastore.open(Path.of(arguments[0]), Durability.EACH_COMMIT);
            Counters counters = Counters.over(datastore.backend());
            List<Thread> threads = IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> {
                        for (int j = 0; j < ADDS / 8; j++) {
                            counters.counter("c").increment();
                            long unused = counters.sequence("s").next();
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    /** Independent writers, like those of several processes, end each other's transactions. */
    @Test
    void writersInContentionAreExact() throws InterruptedException {
        try (LocalDatastore datastore = LocalDatastore.open(directory, Durability.WHEN_CLOSED)) {
            List<Counters> writers = IntStream.range(0, 4)
                    .mapToObj(i -> Counters.over(datastore.backend()))
                    .toList();
            AtomicInteger unknown = new AtomicInteger();
            List<Thread> threads = writers.stream()
                    .map(counters -> new Thread(() -> {
                        for (int j = 0; j < 12; j++) {
                            try {
                                counters.counter("c").increment();
                                long unused = counters.sequence("s").next();
                            } catch (RuntimeException e) {
                                unknown.incrementAndGet();
                            }
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(unknown).hasValue(0);
            assertThat(writers.get(0).counter("c").get()).isEqualTo(4 * 12);
            assertThat(writers.get(0).sequence("s").read(1, 1000))
                    .extracting(entry -> entry.number())
                    .isEqualTo(LongStream.rangeClosed(1, 4 * 12).boxed().toList());
            writers.forEach(Counters::close);
        }
    }

    @Test
    void moduleOpensTheDatastoreOnFirstUse() {
        Injector injector = Guice.createInjector(new LocalDatastoreCounterModule(directory, Durability.EACH_COMMIT));
        assertThat(directory).doesNotExist();
        Counters counters = injector.getInstance(Counters.class);
        counters.counter("c").add(3);
        counters.close();
        injector.getInstance(LocalDatastore.class).close();
        assertThat(change(1)).isEqualTo(4);
    }
}
