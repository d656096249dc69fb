package io.counterkit.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.appengine.api.NamespaceManager;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.GeoPt;
import com.google.appengine.api.datastore.KeyFactory;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Text;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.StoredListing;
import io.counterkit.datastore.StoredScenario;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.adopt.AdoptionReport;
import io.counterkit.datastore.fixture.EmulatorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** App Engine's client and Google's on one store: one stored format, and one sequence for both at the same time. */
@Tag("exhaustive")
@ResourceLock("the remote configuration of App Engine's API")
class BothClientsTest {
    private static final int APPENDS = 40;

    private final String namespace = UUID.randomUUID().toString();
    private CloudStore store;
    private EmulatorStore ofAppEngine;
    private DatastoreCounterBackend cloud;
    private DatastoreSequenceBackend appEngine;
    private DatastoreService datastore;

    @BeforeEach
    void connect() {
        store = CloudStore.besideAppEngine();
        ofAppEngine = EmulatorStore.at(Emulator.FRESH.hostAndPort());
        cloud = store.connect(
                DatastoreCounterOptions.builder().namespace(namespace).build());
        appEngine = DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().namespace(namespace).build());
        datastore = DatastoreServiceFactory.getDatastoreService();
        NamespaceManager.set(namespace);
    }

    @AfterEach
    void close() {
        NamespaceManager.set(null);
        cloud.close();
        ofAppEngine.close();
        store.close();
    }

    private StoredScenario ofCloud() {
        return new StoredScenario(
                cloud,
                () -> cloud.transact(StoredScenario.TRANSACTION, transaction -> {
                    transaction.append("orders", Map.of());
                    transaction.add("likes", 1);
                }));
    }

    private StoredScenario ofAppEngine() {
        return new StoredScenario(
                appEngine,
                () -> appEngine.transact(StoredScenario.TRANSACTION, transaction -> {
                    transaction.append("orders", Map.of());
                    transaction.add("likes", 1);
                }));
    }

    /** Entity by entity, with the types that App Engine's API reads and what is indexed. */
    @Test
    void googlesClientStoresWhatTheListingOfAppEnginesSays() throws IOException {
        ofCloud().write();

        List<String> stored = StoredListing.of(datastore);
        Files.write(Path.of("target", StoredScenario.LISTING), stored); // for comparison
        assertThat(StoredListing.lasting(stored))
                .isEqualTo(StoredListing.lasting(StoredScenario.checkedIn(StoredScenario.LISTING)));
    }

    @Test
    void purgeThroughGooglesClientStoresWhatTheListingSays() throws IOException {
        CloudStore.patient(cloud).counter("likes").add(5, StoredScenario.ADD);
        Instant later = Instant.now().plus(Duration.ofDays(2));
        DatastoreCounterOptions options = DatastoreCounterOptions.builder()
                .namespace(namespace)
                .clock(() -> later)
                .build();
        try (DatastoreCounterBackend purging = store.connect(options)) {
            assertThat(purging.purgeTokens(500)).isOne();
            assertThat(purging.purgeTokens(500)).as("after the last purged one").isZero();
        }
        assertThat(StoredListing.lasting(StoredListing.of(datastore)))
                .isEqualTo(StoredListing.lasting(StoredScenario.checkedIn(StoredScenario.AFTER_A_PURGE)));
    }

    @Test
    void googlesClientReadsAndContinuesWhatIsListed() throws IOException {
        for (Entity entity : StoredListing.entities(StoredScenario.checkedIn(StoredScenario.LISTING))) {
            datastore.put(null, entity);
        }
        ofCloud().assertIsReadAndContinued();
        ofCloud().assertImportsAreReadAndContinued();
    }

    @Test
    void appEnginesClientReadsAndContinuesWhatGooglesStored() {
        ofCloud().write();
        ofAppEngine().assertIsReadAndContinued();
        ofAppEngine().assertImportsAreReadAndContinued();
    }

    /** Properties of a later version, in types that this one does not know, stay when an entity is stored again. */
    @Test
    void erasingKeepsWhatOtherSoftwareAddedToAnEntry() {
        Sequence sequence = CloudStore.patient(cloud).sequence("s");
        sequence.append(Map.of("secret", "x"));
        Entity entry = entry();
        entry.setUnindexedProperty("where", new GeoPt(1, 2));
        entry.setProperty("indexed", "yes");
        datastore.put(null, entry);

        sequence.erase(1);

        Entity erased = entry();
        assertThat(erased.hasProperty("fields")).isFalse();
        assertThat(erased.getProperty("where")).isEqualTo(entry.getProperty("where"));
        assertThat(erased.isUnindexedProperty("indexed")).isFalse();
    }

    @Test
    void recordsAreAdoptedAlike() {
        for (long id = 1; id <= 30; id++) {
            Entity parent = new Entity("Shop", "s");
            Entity order = new Entity("Order", "o" + id, parent.getKey());
            order.setProperty("id", id);
            order.setProperty("customer", KeyFactory.createKey("Customer", id));
            order.setUnindexedProperty("note", new Text("long " + id));
            datastore.put(null, order);
        }
        assertThat(cloud.checkAdoption("orders", Adoption.of("Order", "id")))
                .isEqualTo(new AdoptionReport(30, 30, List.of(), List.of(), List.of(), false));
        assertThat(CloudStore.patient(cloud).sequence("orders").last()).isZero();
        assertThat(cloud.adopt("orders", Adoption.of("Order", "id").withKeyField("key"))
                        .adopted())
                .isTrue();
        assertThat(appEngine
                        .adopt("same", Adoption.of("Order", "id").withKeyField("key"))
                        .adopted())
                .isTrue();
        List<Map<String, Object>> fields = fields("orders");
        assertThat(fields.get(6)).containsEntry("key", "!" + namespace + ":Shop(\"s\")/Order(\"o7\")");
        assertThat(fields).isEqualTo(fields("same"));
    }

    private List<Map<String, Object>> fields(String sequence) {
        return CloudStore.patient(cloud).sequence(sequence).read(1, 30).stream()
                .map(Entry::fields)
                .toList();
    }

    private Entity entry() {
        return datastore.prepare(null, new Query("CounterKitEntry")).asSingleEntity();
    }

    @Test
    void appendsInTurnsLeaveNoGap() {
        Sequence one = CloudStore.patient(cloud).sequence("s");
        Sequence other = CloudStore.patient(appEngine).sequence("s");
        for (long number = 1; number <= 20; number += 2) {
            assertThat(one.append(Map.of("by", "Google's")).number()).isEqualTo(number);
            assertThat(other.append(Map.of("by", "App Engine's")).number()).isEqualTo(number + 1);
        }
        assertThat(one.tail()).isEqualTo(other.tail()).isEqualTo(new Tail(20, 20, null));
    }

    @Test
    void appendsAtTheSameTimeLeaveNoGap() throws Exception {
        List<Long> numbers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Long>>> writers = new ArrayList<>();
            for (int writer = 0; writer < 4; writer++) {
                Counters counters = writer % 2 == 0 ? CloudStore.patient(cloud) : CloudStore.patient(appEngine);
                writers.add(threads.submit(() -> append(counters.sequence("s"))));
            }
            for (Future<List<Long>> writer : writers) {
                numbers.addAll(writer.get());
            }
        } finally {
            threads.shutdown();
        }
        List<Long> oneToN = LongStream.rangeClosed(1, 4 * APPENDS).boxed().toList();
        assertThat(numbers).containsExactlyInAnyOrderElementsOf(oneToN);
        List<Entry> entries = CloudStore.patient(appEngine).sequence("s").read(1, 4 * APPENDS);
        assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(oneToN);
        assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(oneToN);
        assertThat(CloudStore.patient(cloud).sequence("s").read(1, 4 * APPENDS)).isEqualTo(entries);
    }

    private static List<Long> append(Sequence sequence) {
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < APPENDS; i++) {
            numbers.add(sequence.next());
        }
        return numbers;
    }

    @Test
    void sealOfOneRefusesTheOther() {
        CloudStore.patient(cloud).sequence("s").next();
        CloudStore.patient(appEngine).sequence("s").seal("elsewhere");
        assertThat(catchThrowable(() -> CloudStore.patient(cloud).sequence("s").next()))
                .isInstanceOf(SealedException.class)
                .hasMessageContaining("elsewhere");
        assertThat(CloudStore.patient(cloud).sequence("s").last()).isEqualTo(1);
    }
}
