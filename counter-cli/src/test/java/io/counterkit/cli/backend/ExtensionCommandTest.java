package io.counterkit.cli.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.FieldValue;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.SetOptions;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.Emulators;
import io.counterkit.cli.ParsedJson;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.firestore.ExtensionImport;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code counter import-extension} on Firestore's emulator, and the commands of its page. */
@Tag("exhaustive")
class ExtensionCommandTest {
    private final String project = "demo-" + UUID.randomUUID();
    private Firestore firestore;
    private DocumentReference home;

    @BeforeEach
    void setAPage() throws Exception {
        firestore = Prerequisite.required(FirestoreEmulator::shared).connect(project);
        home = firestore.document("pages/home");
        home.set(Map.of("title", "Home", "visits", 1000, "stats", Map.of("views", 200)))
                .get();
    }

    @AfterEach
    void close() throws Exception {
        firestore.close();
    }

    /** Adds as a client of the extension does, with a new shard. */
    private void increment(Map<String, Object> increments) throws Exception {
        home.collection("_counter_shards_")
                .document(UUID.randomUUID().toString())
                .set(increments, SetOptions.merge())
                .get();
    }

    private void increment(String field, long value) throws Exception {
        increment(Map.of(field, FieldValue.increment(value)));
    }

    private String[] words(String command) {
        return Stream.concat(
                        Stream.of(command.split(" ")),
                        Stream.of("--backend", "firestore", "--emulator", "--project", project))
                .toArray(String[]::new);
    }

    private CommandRun run(String command) {
        return CommandRun.of(words(command));
    }

    private String ok(String command) {
        CommandRun run = run(command);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.out();
    }

    private List<String> collections() {
        return Stream.iterate(firestore.listCollections().iterator(), i -> i.hasNext(), i -> i)
                .map(i -> i.next().getId())
                .toList();
    }

    @Test
    void counters_areTakenOver_once() throws Exception {
        increment("visits", 20);
        increment("likes", 4);
        increment(Map.of("stats", Map.of("views", FieldValue.increment(18))));

        assertThat(ok("import-extension pages visits stats.views"))
                .isEqualTo("2 counters in 1 document: 1,238 added, 2 shards emptied\n  clients also count in likes\n");
        assertThat(ok("get pages/home/visits")).isEqualTo("1020\n");
        assertThat(ok("get pages/home/stats.views")).isEqualTo("218\n");
        assertThat(home.get().get().get("stats.views")).isEqualTo(218L);
        assertThat(ParsedJson.object(ok("import-extension pages visits --json")))
                .isEqualTo(Map.of(
                        "documents", 1L,
                        "counters", 1L,
                        "added", 0L,
                        "shards", 0L,
                        "otherFields", List.of("likes"),
                        "left", List.of()));
    }

    @Test
    void oddValue_isPrintedAndLeft() throws Exception {
        increment("visits", 20);
        increment(Map.of("visits", 0.5));

        CommandRun run = run("import-extension pages visits title");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("1 counter in 1 document: 1,020 added, 1 shard emptied\n")
                .contains("  left: pages/home: field 'title': it holds the text 'Home', which is not a whole number")
                .containsPattern("  left: pages/home: field 'visits' of shard '[-0-9a-f]+': it holds 0.5");
        assertThat(ok("get pages/home/visits")).isEqualTo("1020\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    page visits           | collection 'page' has no documents, and no shards of the extension beneath it: check its path, --project and --database; nothing was changed
                    pages visit clicks    | no document of collection 'pages' counts in visit or clicks; fields with numbers are stats.views, visits; nothing was changed
                    pages visits --database other | collection 'pages' has no documents, and no shards of the extension beneath it: check its path, --project and --database; nothing was changed
                    pages/home visits     | collection 'pages/home' is the path of a document: a collection has 1, 3, 5, … segments
                    pages a/b             | field 'a/b': use names without '/', joined by dots, like visits or stats.views, but not '__…__'
                    """)
    void nothingToTakeOver_changesNothing(String arguments, String problem) {
        CommandRun run = run("import-extension " + arguments);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines()).containsExactly("counter: " + problem + " (see counter import-extension --help)");
        assertThat(collections()).containsExactly("pages");
    }

    @Test
    void applicationWithAnotherCollectionOfImports_countsOnce() throws Exception {
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().importCollection("taken").build();
        try (FirestoreCounterBackend application = FirestoreCounterBackend.create(firestore, options)) {
            ExtensionImport.of(application, "pages", List.of("visits")).run().join();
        }
        increment("visits", 20);
        assertThat(ok("import-extension pages visits --import-collection taken"))
                .startsWith("1 counter in 1 document: 20 added, 1 shard emptied");
        assertThat(ok("get pages/home/visits")).isEqualTo("1020\n");
        assertThat(collections()).contains("taken").doesNotContain("counter_imports");
    }

    @Test
    void leftOnce_isTheExitCodeOfTheWholeRun() throws Exception {
        increment("visits", 1);
        increment(Map.of("visits", 0.5));
        CompletableFuture<CommandRun> running =
                CompletableFuture.supplyAsync(() -> run("import-extension pages visits --every 10ms --for 2s"));
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Long.valueOf(1001).equals(home.get().get().get("visits")));
        firestore.recursiveDelete(home.collection("_counter_shards_")).get();
        increment("visits", 2);

        CommandRun run = running.join();
        assertThat(run.out()).contains("  left: pages/home: field 'visits' of shard");
        assertThat(run.exitCode()).isEqualTo(1);
        ok("import-extension pages visits"); // the run may have ended before the last increment
        assertThat(ok("get pages/home/visits")).isEqualTo("1003\n");
    }

    @Test
    void import_continuesUntilItIsInterrupted() throws Exception {
        Interrupt interrupt = new Interrupt();
        CompletableFuture<CommandRun> running = importing(interrupt);
        for (long total = 1001; total <= 1003; total++) {
            increment("visits", 1);
            long expected = total;
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> List.of(expected)
                                    .equals(List.of(home.get().get().get("visits")))
                            && home.collection("_counter_shards_").get().get().isEmpty());
        }
        interrupt.request();
        CommandRun run = running.join();
        assertThat(run.exitCode()).isEqualTo(130);
        assertThat(run.err()).isEmpty();
        assertThat(run.outLines()).hasSizeBetween(3, 4).allMatch(line -> line.startsWith("1 counter in 1 document: "));
        assertThat(ok("get pages/home/visits")).isEqualTo("1003\n");
    }

    /** Starts an import that continues until it is interrupted. */
    private CompletableFuture<CommandRun> importing(Interrupt interrupt) {
        return CompletableFuture.supplyAsync(() -> CommandRun.on(
                Backends.onClassPath(),
                InputStream.nullInputStream(),
                interrupt,
                words("import-extension pages visits --every 10ms --for 10m")));
    }

    @Test
    void interruptedImport_thatLeftAField_exitsWith1() throws Exception {
        increment(Map.of("visits", 0.5));
        Interrupt interrupt = new Interrupt();
        CompletableFuture<CommandRun> running = importing(interrupt);
        increment("visits", 1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Long.valueOf(1001).equals(home.get().get().get("visits")));
        interrupt.request();
        CommandRun run = running.join();
        assertThat(run.out()).contains("  left: pages/home: field 'visits' of shard");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void everyCommandOfThePage_runs() throws Exception {
        increment("visits", 20);
        increment("visits", 8);
        increment(Map.of("stats", Map.of("views", FieldValue.increment(10))));
        String page = Files.readString(Path.of("../docs/from-the-firebase-extension.md"));
        List<String> commands = page.lines()
                .filter(line -> line.startsWith("./counter "))
                .map(line -> line.substring("./counter ".length()))
                .toList();
        assertThat(commands).hasSize(5);
        for (String command : commands) {
            CommandRun run = CommandRun.of(command.replace("--emulator localhost:8080", "--project my-project")
                    .replace("--project my-project", "--emulator " + Emulators.firestore() + " --project " + project)
                    .replace("10s", "200ms")
                    .split(" "));
            assertThat(run.exitCode()).as("%s: %s", command, run.err()).isZero();
            if (command.equals(commands.get(0))) {
                assertThat(page).contains("```\n" + run.out() + "```");
            }
        }
    }
}
