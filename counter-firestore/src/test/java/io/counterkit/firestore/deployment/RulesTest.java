package io.counterkit.firestore.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.EmulatorOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.fixture.WebClient;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.tck.Prerequisite;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the shipped security rules on an emulator that enforces them. */
@Tag("exhaustive")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RulesTest {
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;

    /** The rule that the extension's documentation asks for; it does not touch the shipped ones. */
    private static final String RULE_OF_THE_EXTENSION = """
                match /pages/{page} {
                  allow get;
                  match /_counter_shards_/{shardId} {
                    allow get;
                    allow write: if request.resource.data.keys() == ["visits"]
                                   && (resource == null || request.resource.data.visits ==
                                   resource.data.visits + 1);
                  }
                }
            """;

    private final String project = "demo-" + UUID.randomUUID();
    private FirestoreEmulator emulator;
    private Firestore server;
    private FirestoreCounterBackend backend;
    private Counters counters;
    private WebClient user;
    private WebClient stranger;
    private String name;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        URL shipped = Objects.requireNonNull(FirestoreCounterBackend.class.getResource("firestore.rules"));
        Path rules = Files.writeString(
                directory.resolve("firestore.rules"),
                Files.readString(Path.of(shipped.toURI()))
                        .replace(
                                "    match /counters/{counter} {",
                                RULE_OF_THE_EXTENSION + "    match /counters/{counter} {"));
        emulator = Prerequisite.required(() ->
                FirestoreEmulator.start(EmulatorOptions.builder().rules(rules).build()));
        server = emulator.connect(project);
        backend = FirestoreCounterBackend.create(server);
        counters = Counters.over(backend);
        user = WebClient.signedIn(emulator, project, "ada");
        stranger = WebClient.signedOut(emulator, project);
    }

    @AfterAll
    void stop() {
        if (emulator == null) {
            return; // there is no emulator
        }
        counters.close();
        server.shutdown();
        emulator.close();
    }

    /** Creates documents with the backend, a server client, which is exempt from rules. */
    @BeforeEach
    void makeACounterAndASequence() {
        name = TestStore.name();
        backend.create(name, 3).join();
        counters.counter(name).add(7);
        counters.sequence(name).append(Change.ADDED, "subject", Map.of("a", 1L));
    }

    private String counter() {
        return "counters/" + name;
    }

    private String shard(int number) {
        return counter() + "/shards/" + number;
    }

    private void assertTotal(long total) {
        assertThat(counters.counter(name).get()).isEqualTo(total);
    }

    @Test
    void user_readsTotalsAndShards() {
        assertThat(user.get(counter())).isEqualTo(OK);
        assertThat(user.get(shard(0))).isEqualTo(OK);
        assertThat(user.list("/" + counter(), "shards")).isEqualTo(OK);
        assertThat(user.sum("/" + counter(), "shards", "count")).isEqualTo(OK);
    }

    @Test
    void signedOutUser_readsAndAddsNothing() {
        assertThat(stranger.get(counter())).isEqualTo(FORBIDDEN);
        assertThat(stranger.get(shard(0))).isEqualTo(FORBIDDEN);
        assertThat(stranger.list("/" + counter(), "shards")).isEqualTo(FORBIDDEN);
        assertThat(stranger.sum("/" + counter(), "shards", "count")).isEqualTo(FORBIDDEN);
        assertThat(stranger.write(stranger.increment(shard(0), "count", integer(1), false)))
                .isEqualTo(FORBIDDEN);
        assertTotal(7);
    }

    /** Tests both writes of the recipe's snippets: an update and a merge. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void user_addsOrSubtractsOne(boolean merge) {
        assertThat(user.write(user.increment(shard(0), "count", integer(1), merge)))
                .isEqualTo(OK);
        assertTotal(8);
        assertThat(user.write(user.increment(shard(1), "count", integer(-1), merge)))
                .isEqualTo(OK);
        assertTotal(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"integerValue\":\"2\"}",
                "{\"integerValue\":\"-2\"}",
                "{\"integerValue\":\"1000000\"}",
                "{\"integerValue\":\"0\"}",
                "{\"doubleValue\":1.0}",
                "{\"doubleValue\":0.5}"
            })
    void user_doesNotAddAnythingElse(String delta) {
        assertThat(user.write(user.increment(shard(0), "count", delta, false))).isEqualTo(FORBIDDEN);
        assertTotal(7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void user_addsNothingToASealedCounter(boolean merge) {
        counters.counter(name).seal("elsewhere");
        for (String shard : List.of("0", "1", "2", "seal")) {
            assertThat(user.write(user.increment(counter() + "/shards/" + shard, "count", integer(1), merge)))
                    .as(shard)
                    .isNotEqualTo(OK);
        }
        assertTotal(7);
        assertThat(backend.describe(name).join().shards()).isEmpty();
    }

    @Test
    void user_doesNotReachTheBoundTwiceInOneCommit() {
        String step = user.increment(shard(0), "count", integer(1), false);
        assertThat(user.write(step, step)).isEqualTo(FORBIDDEN);
        assertTotal(7);
    }

    @Test
    void user_doesNotSetTheCount() {
        for (String value : List.of(integer(1000), "{\"stringValue\":\"8\"}", "{\"doubleValue\":8.5}", "")) {
            assertThat(user.write(user.set(shard(0), "count", value, "true")))
                    .as(value)
                    .isEqualTo(FORBIDDEN);
            assertThat(user.write(user.set(shard(0), "count", value, "")))
                    .as(value)
                    .isEqualTo(FORBIDDEN);
        }
        assertTotal(7);
    }

    @Test
    void user_doesNotWriteAnotherField() {
        assertThat(user.write(user.set(shard(0), "note", integer(1), "true"))).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.increment(shard(0), "other", integer(1), false)))
                .isEqualTo(FORBIDDEN);
        // Also not together with an allowed write.
        assertThat(user.write(user.incrementAndSet(shard(0), "note"))).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.increment(shard(0), "count", integer(1), false)))
                .isEqualTo(OK);
        assertTotal(8);
    }

    @Test
    void user_createsAndDeletesNoShard() {
        assertThat(user.write(user.increment(shard(3), "count", integer(1), true)))
                .isEqualTo(FORBIDDEN);
        assertThat(user.write(user.set(shard(3), "count", integer(1), "false"))).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.set(shard(3), "count", integer(0), ""))).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.delete(shard(0)))).isEqualTo(FORBIDDEN);
        assertThat(backend.describe(name).join().shards()).hasSize(3);
        assertTotal(7);
    }

    @Test
    void user_createsChangesDeletesAndListsNoCounter() {
        assertThat(user.write(user.set("counters/" + TestStore.name(), "num_shards", integer(1), "false")))
                .isEqualTo(FORBIDDEN);
        assertThat(user.write(user.set(counter(), "num_shards", integer(1000), "true")))
                .isEqualTo(FORBIDDEN);
        assertThat(user.write(user.increment(counter(), "num_shards", integer(1), false)))
                .isEqualTo(FORBIDDEN);
        assertThat(user.write(user.delete(counter()))).isEqualTo(FORBIDDEN);
        assertThat(user.list("", "counters")).isEqualTo(FORBIDDEN);
        assertThat(backend.describe(name).join().shardCount()).isEqualTo(3);
    }

    @Test
    void user_touchesNoTokensNoImportsAndNoSequences() throws Exception {
        backend.migration()
                .importBase(
                        ChangeTarget.Kind.COUNTER,
                        TestStore.name(),
                        new ImportedState("elsewhere", true, 7, 0),
                        new Call(Duration.ofMinutes(1), CountersListener.disabled()))
                .join();
        for (String collection : List.of("counter_tokens", "counter_imports", "sequences")) {
            String document = collection + "/"
                    + server.collection(collection)
                            .get()
                            .get()
                            .getDocuments()
                            .get(0)
                            .getId();
            assertClosed(document);
            assertThat(user.list("", collection)).isEqualTo(FORBIDDEN);
        }
        for (String collection : List.of("entries", "subjects")) {
            String parent = "sequences/" + name;
            String document = parent + "/" + collection + "/"
                    + server.collection(parent + "/" + collection)
                            .get()
                            .get()
                            .getDocuments()
                            .get(0)
                            .getId();
            assertClosed(document);
            assertThat(user.list("/" + parent, collection)).isEqualTo(FORBIDDEN);
        }
        assertThat(counters.sequence(name).read(1, 1)).hasSize(1);
    }

    private void assertClosed(String document) {
        assertThat(user.get(document)).as(document).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.set(document, "a", integer(1), "true"))).isEqualTo(FORBIDDEN);
        assertThat(user.write(user.set(document + "-new", "a", integer(1), "false")))
                .isEqualTo(FORBIDDEN);
        assertThat(user.write(user.delete(document))).isEqualTo(FORBIDDEN);
    }

    /** A page writes by rules in the extension's way and in the recipe's, while its counter is taken over. */
    @Test
    void page_writesInTheExtensionsWayAndInTheRecipes() throws Exception {
        String page = "pages/" + TestStore.name();
        server.document(page).set(Map.of("visits", 100)).get();
        String shardOfPage = page + "/_counter_shards_/" + UUID.randomUUID();
        String counted = page + "/visits";
        ExtensionImport job = ExtensionImport.of(backend, "pages", List.of("visits"));
        for (int i = 1; i <= 3; i++) {
            assertThat(stranger.write(stranger.increment(shardOfPage, "visits", integer(1), true)))
                    .isEqualTo(OK);
            assertThat(stranger.write(stranger.increment(shardOfPage, "visits", integer(1), true)))
                    .isEqualTo(OK);
            job.run().join();
            assertThat(user.write(user.increment(
                            "counters/" + counted.replace("/", "%2F") + "/shards/0", "count", integer(1), false)))
                    .isEqualTo(OK);
            assertThat(counters.counter(counted).get()).isEqualTo(100 + 3 * i);
        }
        job.run().join();
        assertThat(server.document(page).get().get().get("visits")).isEqualTo(109L);
        assertThat(stranger.get(page)).isEqualTo(OK);
        assertThat(stranger.write(stranger.increment(shardOfPage, "visits", integer(1), true)))
                .isEqualTo(OK);
        assertThat(stranger.write(stranger.increment(shardOfPage, "visits", integer(2), true)))
                .isEqualTo(FORBIDDEN);
        assertThat(stranger.write(stranger.set(page, "visits", integer(1000), "true")))
                .isEqualTo(FORBIDDEN);
    }

    private static String integer(long value) {
        return "{\"integerValue\":\"" + value + "\"}";
    }
}
