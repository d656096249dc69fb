package io.counterkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.datastore.Datastore;
import com.google.cloud.datastore.Entity;
import com.google.cloud.firestore.Firestore;
import io.counterkit.cli.backend.Backends;
import io.counterkit.cli.console.Interrupt;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The help of every command and backend describes each option, and its examples run. */
class HelpTest {
    private static List<String> topics() {
        List<String> topics = new ArrayList<>(List.of("datastore", "firestore", "inmemory", "postgresql", "sqlite"));
        CommandRun.of("help").outLines().stream()
                .dropWhile(line -> !line.equals("Commands:"))
                .filter(line -> line.matches("  [a-z].*") && !line.startsWith("  counter"))
                .map(line -> line.strip().replaceAll(" .*", ""))
                .forEach(topics::add);
        assertThat(topics).contains("add", "migrate", "help").hasSizeGreaterThan(20);
        return topics;
    }

    @ParameterizedTest
    @MethodSource("topics")
    void everyOptionAndParameter_isDescribed(String topic) {
        List<String> lines = CommandRun.of("help", topic).outLines();

        // A description stands beside its option, or in the next line if the option is long.
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches("  ? ? ? ?(-\\w, )?(--\\w|\\[?[A-Z]+[\\]=.]*( |$)).*")) {
                String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
                assertThat(lines.get(i).matches(".*\\S  +\\S.*") || next.matches(" {20,}\\S.*"))
                        .as(lines.get(i))
                        .isTrue();
            }
        }
        assertThat(lines).as("examples").contains("Examples:");
        assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    @Tag("exhaustive")
    void everyExample_runs(@TempDir Path data) throws Exception {
        String postgresql = PostgresUrl.shared();
        List<String> examples = topics().stream()
                .flatMap(topic ->
                        CommandRun.of("help", topic).outLines().stream().dropWhile(line -> !line.equals("Examples:")))
                .filter(line -> line.contains("counter "))
                .map(line -> line.replaceFirst(".*\\bcounter ", ""))
                .toList();
        assertThat(examples).hasSizeGreaterThan(25);
        String file = " --backend sqlite --file " + data.resolve("default.db");
        run("next invoices/2026" + file);
        run("next invoices/2026 --backend datastore --data " + data);
        run("add posts/42/likes --backend firestore --emulator " + Emulators.firestore());
        Datastore datastore = Emulators.datastore("demo-counterkit");
        datastore.put(
                Entity.newBuilder(datastore.newKeyFactory().setKind("Order").newKey("o"))
                        .set("id", 1)
                        .build());
        setAPageThatTheExtensionCounts();
        run("add likes --create-tables --backend postgresql --url " + postgresql);
        for (String example : examples) {
            boolean isOnDefault =
                    !example.contains("--backend") && !example.matches("(help|completion|migrate|soak)\\b.*");
            CommandRun run = run(Emulators.inExample(example + (isOnDefault ? file : ""))
                    .replace("--data counts", "")
                    .replaceFirst("datastore(?!.* --emulator [^-])", "datastore --data " + data)
                    .replaceFirst("help datastore --data .*", "help datastore")
                    .replaceFirst("\\)| \\| source", "")
                    .replaceFirst("^migrate ", "migrate --to-project demo-empty ") // as a new emulator is
                    .replace("counts.db", data.resolve("counts.db").toString())
                    .replace("jdbc:postgresql://localhost/app", postgresql)
                    .replace("samples/", "../samples/")
                    .replace("10s", "3s"));
            assertThat(run.exitCode()).as("%s: %s", example, run.err()).isZero();
            assertThat(run.out()).as(example).isNotEmpty();
        }
    }

    private static void setAPageThatTheExtensionCounts() throws Exception {
        Emulators.firestore();
        Firestore firestore = FirestoreEmulator.shared().connect("demo-counterkit");
        firestore.document("pages/home").set(Map.of("visits", 5)).get();
        firestore.close();
    }

    private static CommandRun run(String command) {
        return CommandRun.on(
                Backends.onClassPath(),
                new ByteArrayInputStream("likes\n".getBytes(StandardCharsets.UTF_8)),
                new Interrupt(),
                command.split(" +"));
    }
}
