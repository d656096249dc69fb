package io.counterkit.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.Entity;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.cli.CommandRun;
import io.counterkit.cli.Emulators;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.migration.MigratingBackend;
import io.counterkit.migration.MigrationOptions;
import io.counterkit.migration.Rollout;
import io.counterkit.migration.fixture.MigrationWriter;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/migration.md, from the first to the last, print what the page says, while two processes of the
 * application write and a third one follows. They go through the deployments that the page describes.
 */
@Tag("exhaustive")
class MigrationPageTest {
    private static final Pattern HEADING_OR_COMMAND = Pattern.compile(
            "## (?<heading>[^\\n]*)|```sh\\R(?<command>.*?)\\R```(\\s+```text\\R(?<output>.*?)```)?", Pattern.DOTALL);

    /** Enough entries that their number has three digits, which the writers change. */
    private static final int BEFORE = 150;

    private final String project = "demo-" + UUID.randomUUID();
    private final Rollout rollout = Rollout.at(0);
    private final List<PageWriter> writers = new ArrayList<>();
    private @Nullable PageFollower follower;
    private final Firestore firestore = connect();

    private Firestore connect() {
        Emulators.firestore();
        return FirestoreEmulator.shared().connect(project);
    }

    @AfterEach
    void close() throws Exception {
        for (PageWriter writer : writers) {
            writer.stop();
        }
        if (follower != null) {
            follower.stop();
        }
        firestore.close();
    }

    private CounterBackend source() {
        return DatastoreCounterBackend.create(Emulators.datastore(project));
    }

    private CounterBackend target() {
        return FirestoreCounterBackend.create(firestore);
    }

    private CounterBackend migrating() {
        return MigratingBackend.create(
                source(),
                target(),
                MigrationOptions.builder("datastore", "firestore")
                        .rollout(rollout)
                        .build());
    }

    @Test
    void everyCommand_printsWhatThePageSays_whileTheApplicationRuns(@TempDir Path directory) throws Exception {
        numberAsTheArticle();
        Matcher page = HEADING_OR_COMMAND.matcher(Files.readString(Path.of("..", "docs", "migration.md")));
        int count = 0;
        while (page.find()) {
            if (page.group("heading") != null) {
                reach(page.group("heading"));
                continue;
            }
            String command = page.group("command");
            String output = page.group("output");
            CommandRun run = CommandRun.of(onEmulators(command, directory).split(" "));
            assertThat(printed(run)).as(command).isEqualTo(withoutLiveNumbers(output));
            assertThat(run.exitCode())
                    .as("%s: %s", command, run.err())
                    .isEqualTo(output.startsWith("exit code 1\n") ? 1 : 0);
            count++;
        }
        assertThat(count).isGreaterThan(15);
        assertExact();
    }

    /** Records with numbers, which were made without CounterKit. */
    private void numberAsTheArticle() {
        Datastore datastore = Emulators.datastore(project);
        for (int id = 1; id <= 3; id++) {
            datastore.put(Entity.newBuilder(
                            datastore.newKeyFactory().setKind("Invoice").newKey("i" + id))
                    .set("id", id)
                    .set("customer", "c-" + id)
                    .build());
        }
    }

    /** Deploys what the section under this heading describes. */
    private void reach(String heading) {
        switch (heading) {
            case "2. Look" -> startWriters();
            case "3. Deploy at 0 percent" -> deploy(this::migrating);
            case "4. Move some" -> raise(50);
            case "5. Move all" -> raise(100);
            case "What an old process sees" -> deploy(this::target);
            default -> {}
        }
    }

    private void startWriters() {
        Sequence orders = MigrationWriter.patient(source()).sequence("orders");
        CompletableFuture.allOf(IntStream.range(0, BEFORE)
                        .mapToObj(i -> orders.async().next())
                        .toArray(CompletableFuture[]::new))
                .join();
        for (int i = 0; i < 2; i++) {
            PageWriter writer = new PageWriter(source());
            writer.start();
            writers.add(writer);
        }
        writers.forEach(PageWriter::awaitChanges);
        follower = new PageFollower(source());
    }

    private void deploy(Supplier<CounterBackend> version) {
        writers.forEach(writer -> writer.deploy(version.get()));
        Objects.requireNonNull(follower).deploy(version.get());
    }

    private void raise(int percent) {
        rollout.set(percent);
        writers.forEach(PageWriter::awaitChanges);
    }

    /** Returns the words of a command, on the emulators, of which the page says that the environment names them. */
    private String onEmulators(String command, Path directory) {
        return command.replaceFirst("^counter ", "")
                .replaceFirst("(--(from|to)) firestore", "$1 firestore $1-emulator " + Emulators.firestore())
                .replaceFirst("--backend firestore", "--backend firestore --emulator " + Emulators.firestore())
                .replaceFirst("(--(from|to)) datastore(?! --data)", "$1 datastore $1-emulator " + Emulators.datastore())
                .replaceFirst(
                        "--backend datastore(?! --data)", "--backend datastore --emulator " + Emulators.datastore())
                .replace("demo-shop", project)
                .replace("--data shop", "--data " + directory.resolve("shop"));
    }

    private static String printed(CommandRun run) {
        String out =
                run.out().replaceAll(" in [0-9.,]+ m?s\\b", " in TIME").replaceAll("\\b20\\d\\d-[-0-9T:.]+Z", "TIME");
        String text = out + run.err();
        return withoutLiveNumbers(run.exitCode() == 0 ? text : "exit code " + run.exitCode() + "\n" + text);
    }

    /** The writers change the numbers of three digits and more, and how many entries there are to compare. */
    private static String withoutLiveNumbers(String output) {
        return output.replaceFirst("(compared .* and) [0-9,]+ entries", "$1 MANY entries")
                .replaceAll(" *\\b[0-9][0-9,]{2,}\\b", " MANY");
    }

    /** Checks, with the source turned off, that no number was lost or issued twice, and that no view was lost. */
    private void assertExact() throws Exception {
        List<Long> issued =
                new ArrayList<>(LongStream.rangeClosed(1, BEFORE).boxed().toList());
        for (PageWriter writer : writers) {
            List<Long> numbers = writer.stop();
            assertThat(numbers).hasSizeGreaterThan(5);
            issued.addAll(numbers);
        }
        List<Long> oneToN = LongStream.rangeClosed(1, issued.size()).boxed().toList();
        assertThat(issued).containsExactlyInAnyOrderElementsOf(oneToN);
        Objects.requireNonNull(follower).assertExact(issued.size());
        try (Counters after = Counters.over(target())) {
            assertThat(after.counter("views").get()).isEqualTo(issued.size() - BEFORE);
            assertThat(after.sequence("orders").last()).isEqualTo(issued.size());
            assertThat(after.sequence("orders").read(1, BEFORE))
                    .extracting(Entry::number)
                    .containsExactlyElementsOf(oneToN.subList(0, BEFORE));
        }
    }
}
