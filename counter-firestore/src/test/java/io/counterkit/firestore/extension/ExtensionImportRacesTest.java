package io.counterkit.firestore.extension;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.tck.StoreFault;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that each increment counts once while clients write, imports fail or are killed, and the extension's function
 * runs.
 */
@Tag("exhaustive")
class ExtensionImportRacesTest {
    private static final int INCREMENTS = 12;

    private final FirestoreFixture fixture = new FirestoreFixture();
    private final String pages = "pages-" + UUID.randomUUID();
    private final Firestore firestore = FirestoreFixture.emulator().connect(fixture.project());
    private final FirestoreCounterBackend backend = FirestoreCounterBackend.create(firestore);
    private final Counters counters = Counters.over(
            backend, CountersOptions.builder().deadline(Duration.ofMinutes(1)).build());
    private final DocumentReference home = firestore.document(pages + "/home");
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong expected = new AtomicLong();

    @AfterEach
    void close() throws Exception {
        threads.shutdownNow();
        counters.close();
        fixture.close();
        firestore.close();
    }

    private ExtensionImport of(FirestoreCounterBackend any) {
        return ExtensionImport.of(any, pages, List.of("stats.visits"));
    }

    private void setPage(long visits) {
        TestStore.await(home.set(Map.of("stats", Map.of("visits", visits))));
        expected.set(visits);
    }

    private ExtensionClient client() {
        return new ExtensionClient(firestore, home.getPath(), "stats.visits");
    }

    private void increment(ExtensionClient client, long value) {
        client.incrementBy(value);
        expected.addAndGet(value);
    }

    private void assertExact() {
        assertThat(of(backend).run().join().left()).isEmpty();
        assertThat(counters.counter(home.getPath() + "/stats.visits").get()).isEqualTo(expected.get());
        assertThat(TestStore.await(home.get()).get("stats.visits")).isEqualTo(expected.get());
        assertThat(TestStore.await(home.collection("_counter_shards_").get()).isEmpty())
                .isTrue();
    }

    private CompletableFuture<Void> start(Runnable work) {
        return CompletableFuture.runAsync(work, threads);
    }

    /** Starts clients of the extension, and one that adds to the counter. */
    private CompletableFuture<Void> startClients() {
        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            clients.add(start(() -> {
                ExtensionClient client = client();
                for (int j = 1; j <= INCREMENTS; j++) {
                    increment(client, j);
                }
            }));
        }
        clients.add(start(() -> {
            for (int j = 0; j < INCREMENTS; j++) {
                counters.counter(home.getPath() + "/stats.visits").add(1000);
                expected.addAndGet(1000);
            }
        }));
        return CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new));
    }

    @Test
    void twoImportsAtOnce_besideClientsAndTheExtensionsFunctions_areExact() {
        setPage(10_000);
        long seed = new Random().nextLong();
        CompletableFuture<Void> clients = startClients();
        AtomicBoolean isOver = new AtomicBoolean();
        List<CompletableFuture<Void>> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            FirestoreCounterBackend another = fixture.connect();
            others.add(start(() -> {
                while (!isOver.get()) {
                    of(another).run().join();
                }
                another.close();
            }));
        }
        others.add(start(() -> {
            Random random = new Random(seed);
            ExtensionFunction function = new ExtensionFunction(firestore);
            while (!isOver.get()) {
                ExtensionFunction.Worker worker = function.new Worker(home).look();
                if (random.nextBoolean()) {
                    worker.intoPartial(1 + random.nextInt(4));
                } else {
                    worker.intoDocument();
                }
            }
        }));
        clients.join();
        isOver.set(true);
        CompletableFuture.allOf(others.toArray(CompletableFuture[]::new)).join();
        assertExact();
    }

    /** The worker reads partials before its transaction, so an import may take them between. */
    @Test
    void partialTakenBetweenTheStepsOfAWorker_countsOnce() {
        setPage(5);
        ExtensionFunction function = new ExtensionFunction(firestore);
        increment(client(), 7);
        function.new Worker(home).look().intoPartial(3);
        ExtensionFunction.Worker late = function.new Worker(home).look();
        increment(client(), 11);
        of(backend).run().join();
        late.intoDocument();
        assertExact();
    }

    @Test
    void controllerBesideTheImport_countsOnce() {
        setPage(5);
        increment(client(), 7);
        of(backend).run().join();
        increment(client(), 11);
        TestStore.await(home.update("stats.visits", 12 + 11)); // as the controller does
        TestStore.await(firestore.recursiveDelete(home.collection("_counter_shards_")));
        assertExact();
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL_BEFORE", "LOSE_REPLY"})
    void eachCallDisturbed_countsOnce(StoreFault fault) {
        setPage(3);
        FirestoreCounterBackend disturbed = fixture.connect();
        ExtensionClient client = client();
        boolean isHit = true;
        for (int call = 1; isHit; call++) {
            increment(client, call);
            counters.counter(home.getPath() + "/stats.visits").add(1000);
            expected.addAndGet(1000);
            try (CallFault injected = fixture.faults().inject(fault, call)) {
                of(disturbed).run().join();
                isHit = injected.isHit();
            }
            assertExact();
        }
        disturbed.close();
    }

    @Test
    void killedAtRandom_countsOnce() throws Exception {
        killAtRandom(1);
    }

    @Test
    @Tag("nightly")
    void killedAtRandomAgainAndAgain_countsOnce() throws Exception {
        killAtRandom(8);
    }

    private void killAtRandom(int kills) throws Exception {
        setPage(100);
        Random random = new Random();
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> clients = start(() -> {
            ExtensionClient client = client();
            while (!isOver.get()) {
                increment(client, 1);
            }
        });
        for (int kill = 0; kill < kills; kill++) {
            Process job = startJob();
            try (BufferedReader passes = job.inputReader(StandardCharsets.UTF_8)) {
                int before = 1 + random.nextInt(20);
                for (int i = 0; i < before; i++) {
                    assertThat(passes.readLine()).as("seen %s", i).isEqualTo("changed");
                }
                job.toHandle().destroyForcibly();
                job.waitFor();
            } finally {
                job.destroyForcibly();
            }
        }
        isOver.set(true);
        clients.join();
        assertExact();
    }

    private Process startJob() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Job.class.getName(),
                        FirestoreFixture.emulator().hostAndPort(),
                        fixture.project(),
                        pages)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A process that imports without pause, and prints a line for each change of the page. */
    static final class Job {
        public static void main(String[] arguments) throws Exception {
            Firestore firestore = FirestoreEmulator.at(arguments[0]).connect(arguments[1]);
            ExtensionImport job = ExtensionImport.of(
                    FirestoreCounterBackend.create(firestore), arguments[2], List.of("stats.visits"));
            job.start(Duration.ofMillis(1));
            firestore.document(arguments[2] + "/home").addSnapshotListener((page, failure) -> {
                System.out.println("changed");
                System.out.flush();
            });
            if (System.in.read() < 0) {
                System.exit(1);
            }
        }
    }
}
