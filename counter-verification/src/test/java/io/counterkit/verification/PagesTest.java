package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.cloud.DatastoreCounterOptions;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.tck.Prerequisite;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java blocks of the pages compile and run, their links lead somewhere, and their tables of options are complete.
 */
class PagesTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");

    static Stream<String> pages() throws Exception {
        try (Stream<Path> docs = Files.list(Page.ROOT.resolve("docs"))) {
            List<String> pages = new ArrayList<>(docs.map(page -> "docs/" + page.getFileName())
                    .filter(page -> page.endsWith(".md"))
                    .sorted()
                    .toList());
            pages.addAll(List.of("README.md", "counter-firestore-emulator/README.md"));
            return pages.stream();
        }
    }

    /** Returns the pages with Java blocks, without those whose blocks are parts of a program that is built. */
    static Stream<String> pagesWithJava() throws Exception {
        return pages().filter(page -> Snippets.of(Page.read(page)).count() > 0)
                .filter(page -> !List.of("docs/writing-a-backend.md", "docs/spring-boot.md")
                        .contains(page));
    }

    static Stream<String> linkedPages() throws Exception {
        return Stream.concat(
                pages(),
                Stream.of(
                        "CHANGELOG.md",
                        "CONTRIBUTING.md",
                        "SECURITY.md",
                        "SPEC.md",
                        "counter-benchmarks/README.md",
                        "counter-tck/README.md",
                        "examples/likes/README.md",
                        "examples/spring-boot/README.md"));
    }

    @ParameterizedTest
    @MethodSource("pagesWithJava")
    void everyJavaBlockCompilesAndRuns(String page, @TempDir Path classes) throws Exception {
        Snippets snippets = Snippets.of(Page.read(page));
        if (snippets.needsFirestore()) {
            Prerequisite.required(FirestoreEmulator::shared);
        }
        List<Firestore> clients = new ArrayList<>();
        List<LostReply> lostReplies = new ArrayList<>();
        snippets.compileAndRun(classes, () -> {
            LostReply lostReply = new LostReply();
            Firestore client =
                    FirestoreEmulator.shared().connect("demo-" + UUID.randomUUID(), settings -> settings, lostReply);
            lostReplies.add(lostReply);
            clients.add(client);
            return client;
        });
        for (Firestore client : clients) {
            client.close();
        }
        assertThat(lostReplies).allMatch(LostReply::isDone);
    }

    @Test
    void blocksAreFound() {
        assertThat(Snippets.of(Page.read("README.md")).statedValues()).containsExactly("likes", "total", "total");
        assertThat(Snippets.of(Page.read("docs/guarantees.md")).statedValues())
                .containsExactly("total", "last", "revisions", "open", "exported");
        assertThat(Snippets.of(Page.read("docs/operating.md")).statedValues()).containsExactly("adds");
        assertThat(Snippets.of(Page.read("docs/migration.md")).count()).isGreaterThan(1);
    }

    @ParameterizedTest
    @MethodSource("linkedPages")
    void everyLinkLeadsSomewhere(String page) {
        Path file = Page.ROOT.resolve(page);
        assertThat(LINK.matcher(Page.read(page)).results()).as(page).allSatisfy(link -> {
            Path target = link.group(1).isEmpty() ? file : file.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null) {
                assertThat(anchors(Files.readString(target))).contains(link.group(2));
            }
        });
    }

    private static Stream<String> anchors(String page) {
        return page.lines()
                .filter(line -> line.startsWith("#"))
                .map(heading -> heading.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
    }

    @Test
    void optionTablesNameEveryOption() {
        assertThat(optionsIn("docs/testing.md")).isEqualTo(optionsOf(InMemoryOptions.Builder.class));
        assertThat(optionsIn("docs/firestore.md")).isEqualTo(optionsOf(FirestoreCounterOptions.Builder.class));
        assertThat(optionsIn("docs/jdbc.md")).isEqualTo(optionsOf(JdbcCounterOptions.Builder.class));
        assertThat(optionsIn("docs/datastore.md"))
                .isEqualTo(optionsOf(DatastoreCounterOptions.Builder.class))
                .containsAll(optionsOf(DatastoreSequenceOptions.Builder.class));
    }

    private static Set<String> optionsIn(String page) {
        String text = Page.read(page);
        return text.substring(text.indexOf("\n## Options"))
                .lines()
                .skip(2)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .flatMap(row -> Pattern.compile("`(\\w+)`")
                        .matcher(row.substring(0, row.indexOf('|', 1)))
                        .results())
                .map(option -> option.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> optionsOf(Class<?> builder) {
        return Arrays.stream(builder.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class)
                .map(Method::getName)
                .filter(name -> !name.equals("build"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void defaultsOfTheApiAreTheStatedOnes() {
        CountersOptions defaults = CountersOptions.defaults();
        String page = Page.read("docs/guarantees.md");
        assertThat(Page.lineThatStarts(page, "| waiting requests |"))
                .contains(String.format(
                        Locale.ROOT, "| %,d, and %d MiB in all,", defaults.queueLimit(), defaults.queueBytes() >> 20));
        assertThat(Page.lineThatStarts(page, "| time of one call |"))
                .contains("| " + defaults.deadline().toSeconds() + " s,");
    }
}
