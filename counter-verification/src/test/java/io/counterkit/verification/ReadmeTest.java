package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.NoCredentials;
import com.google.cloud.datastore.DatastoreOptions;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** The README is short, its table of backends is correct, and its test command is that of CI. */
class ReadmeTest {
    /** A client without a server, which the backend does not use. */
    private static final Firestore UNCONNECTED = FirestoreOptions.newBuilder()
            .setProjectId("demo-readme")
            .setEmulatorHost("127.0.0.1:1")
            .setCredentials(new FirestoreOptions.EmulatorCredentials())
            .build()
            .getService();

    private final String readme = Page.read("README.md");

    @Test
    void isReadInTenMinutes() {
        assertThat(readme.lines().count()).isLessThanOrEqualTo(180);
    }

    @Test
    void sectionsComeInTheOrderInWhichTheyAreNeeded() {
        assertThat(readme.lines().filter(line -> line.matches("#+ .*")))
                .containsExactly(
                        "# CounterKit",
                        "## Try it",
                        "## The API",
                        "## What you can rely on",
                        "## Choose a backend",
                        "## Install",
                        "## Documentation",
                        "## What it is not",
                        "## Compatibility");
    }

    @Test
    void everyPageIsLinked() throws Exception {
        assertThat(PagesTest.pages().filter(page -> page.startsWith("docs/")))
                .allSatisfy(page -> assertThat(readme).contains("](" + page + ")"));
    }

    @Test
    void backendTableStatesTheDeclaredCapabilities(@TempDir Path directory) {
        List<String> columns = Page.cells(Page.lineThatStarts(readme, "| backend |"));
        CounterBackend datastore = DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().namespace("").build());
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("counters.db"));
        CounterBackend jdbc = JdbcCounterBackend.create(
                file, JdbcCounterOptions.builder().createTables(true).build());
        Map<String, CounterBackend> backends = Map.of(
                "in memory",
                InMemoryBackend.create(),
                "Firestore",
                FirestoreCounterBackend.create(UNCONNECTED),
                "PostgreSQL",
                jdbc,
                "SQLite",
                jdbc,
                "Datastore",
                DatastoreCounterBackend.create(DatastoreOptions.newBuilder()
                        .setProjectId("unconnected")
                        .setCredentials(NoCredentials.getInstance())
                        .build()
                        .getService()),
                "App Engine Datastore",
                datastore,
                "local Datastore",
                datastore);
        backends.forEach((name, backend) -> {
            List<String> cells = Page.cells(Page.lineThatStarts(readme, "| [" + name + "]"));
            Set<String> stated = new TreeSet<>();
            for (int i = 2; i < columns.size(); i++) {
                if (cells.get(i).equals("yes")) {
                    stated.add(columns.get(i).replace("`", ""));
                }
            }
            assertThat(stated)
                    .as(name)
                    .isEqualTo(backend.capabilities().stream()
                            .map(Capability::name)
                            .collect(Collectors.toSet()));
        });
        assertThat(columns).hasSize(2 + Capability.values().length);
        jdbc.close();
    }

    @Test
    void testCommandIsTheOneThatCiRuns() {
        String command = "./mvnw -B -ntp verify";
        assertThat(readme).contains(command);
        assertThat(Page.read(".ci/run").lines().map(String::strip)).contains(command);
    }
}
