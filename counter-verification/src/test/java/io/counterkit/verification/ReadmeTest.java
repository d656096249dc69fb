package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.counterkit.CountersOptions;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.inmemory.InMemoryOptions;
import io.counterkit.spi.Capability;
import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README and the page on migrations say in Java compiles and runs, and the README's tables are true. */
class ReadmeTest {
    private static final Pattern JAVA = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    /** A variable whose value a comment tells. */
    private static final Pattern TOLD =
            Pattern.compile("(?m)^((?:long|int|double|boolean) (\\w+) = .*;)\\s*// (-?\\d+(?:\\.\\d+)?)(?=[:;,]|$)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final String IMPORTS = """
            import static org.assertj.core.api.Assertions.*;
            import com.google.inject.*;
            import com.google.inject.Module; // not that of java.lang
            import com.google.appengine.api.datastore.DatastoreService;
            import com.google.appengine.api.datastore.Entity;
            import com.google.cloud.firestore.*;
            import io.counterkit.*;
            import io.counterkit.datastore.*;
            import io.counterkit.datastore.guice.*;
            import io.counterkit.datastore.local.*;
            import io.counterkit.firestore.*;
            import io.counterkit.firestore.emulator.*;
            import io.counterkit.firestore.guice.*;
            import io.counterkit.inmemory.*;
            import io.counterkit.inmemory.guice.*;
            import io.counterkit.micrometer.*;
            import io.counterkit.migration.*;
            import io.counterkit.migration.guice.*;
            import io.counterkit.spi.*;
            import io.micrometer.core.instrument.MeterRegistry;
            import io.micrometer.core.instrument.Tags;
            import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
            import java.nio.file.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            """;

    /** A client that has nowhere to connect to, and need not. */
    private static final Firestore UNCONNECTED = FirestoreOptions.newBuilder()
            .setProjectId("demo-readme")
            .setEmulatorHost("127.0.0.1:1")
            .setCredentials(new FirestoreOptions.EmulatorCredentials())
            .build()
            .getService();

    private final String readme = read("README.md");

    @Test
    void everyJavaBlockCompilesAndRuns(@TempDir Path classes) throws Exception {
        List<String> blocks = javaBlocks(readme);
        assertThat(blocks).hasSizeGreaterThan(4);
        compile(blocks, classes);
        run(blocks, classes, block -> !block.contains("FirestoreEmulator"));
        FirestoreEmulator emulator = Prerequisite.required(FirestoreEmulator::shared);
        assertThat(emulator.hostAndPort()).isNotEmpty();
        run(blocks, classes, block -> block.contains("FirestoreEmulator"));
    }

    @Test
    void everyJavaBlockOfTheMigrationPageCompilesAndRuns(@TempDir Path classes) throws Exception {
        List<String> blocks = javaBlocks(read("docs/migration.md"));
        assertThat(blocks).hasSize(2);
        compile(blocks, classes);
        run(blocks, classes, block -> true);
    }

    private static List<String> javaBlocks(String page) {
        return JAVA.matcher(page).results().map(block -> block.group(1)).toList();
    }

    private static void run(List<String> blocks, Path classes, Predicate<String> which) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (int i = 0; i < blocks.size(); i++) {
                if (which.test(blocks.get(i))) {
                    Class<?> block = loader.loadClass("Block" + i);
                    block.getMethod("run").invoke(block.getConstructor().newInstance());
                }
            }
        }
    }

    @Test
    void backendTableTellsTheCapabilitiesThatAreDeclared() {
        List<String> names = cells(lineThatStarts("| backend |"));
        Map<String, CounterBackend> backends = Map.of(
                "in memory",
                InMemoryBackend.create(),
                "Firestore",
                FirestoreCounterBackend.create(UNCONNECTED),
                "App Engine Datastore",
                DatastoreSequenceBackend.create(
                        DatastoreSequenceOptions.builder().namespace("").build()));
        backends.forEach((name, backend) -> {
            List<String> marks = cells(lineThatStarts("| " + name + " |"));
            Set<String> declared = new TreeSet<>();
            for (int i = 1; i < names.size(); i++) {
                if (marks.get(i).equals("yes")) {
                    declared.add(names.get(i).replace("`", ""));
                }
            }
            assertThat(declared)
                    .as(name)
                    .isEqualTo(backend.capabilities().stream()
                            .map(Capability::name)
                            .collect(Collectors.toSet()));
        });
        assertThat(names.size() - 1).isEqualTo(Capability.values().length);
    }

    @Test
    void valuesThatCommentsTellAreAsserted() {
        assertThat(TOLD.matcher(readme).results().map(value -> value.group(2)))
                .containsExactly("total", "revisions", "open", "adds");
    }

    @Test
    void sectionsComeInTheOrderInWhichTheyAreNeeded() {
        List<String> parts = List.of("### Import", "### Configure", "### Options", "### Cost and limits");
        List<String> expected = new ArrayList<>(List.of(
                "# CounterKit",
                "## Try it",
                "## What it is not",
                "## What you can rely on",
                "## Backends",
                "## Install"));
        for (String backend : List.of("## In memory", "## Firestore", "## App Engine Datastore")) {
            expected.add(backend);
            expected.addAll(parts);
        }
        expected.addAll(List.of(
                "## Guice",
                "## Testing your own code",
                "## Metrics",
                "## Write your own backend",
                "## Command line",
                "## Moving to another store",
                "## Measured",
                "## Compatibility"));
        assertThat(readme.lines().filter(line -> line.matches("#+ .*"))).isEqualTo(expected);
    }

    @Test
    void optionTablesNameEveryOption() {
        assertThat(optionsIn("## In memory")).isEqualTo(optionsOf(InMemoryOptions.Builder.class));
        assertThat(optionsIn("## Firestore")).isEqualTo(optionsOf(FirestoreCounterOptions.Builder.class));
        assertThat(optionsIn("## App Engine Datastore")).isEqualTo(optionsOf(DatastoreSequenceOptions.Builder.class));
    }

    private Set<String> optionsIn(String section) {
        String options = readme.substring(readme.indexOf("\n### Options", readme.indexOf("\n" + section + "\n")));
        return options.lines()
                .skip(1)
                .takeWhile(line -> !line.startsWith("### Cost"))
                .filter(line -> line.startsWith("| `"))
                .flatMap(row -> Pattern.compile("`(\\w+)`")
                        .matcher(row.substring(0, row.indexOf('|', 1)))
                        .results())
                .map(option -> option.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> optionsOf(Class<?> builder) {
        return Arrays.stream(builder.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !name.equals("build"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void defaultsOfTheApiAreTheOnesThatAreTold() {
        CountersOptions defaults = CountersOptions.defaults();
        assertThat(lineThatStarts("| waiting requests |"))
                .contains(String.format(
                        Locale.ROOT, "| %,d, and %d MiB in all,", defaults.queueLimit(), defaults.queueBytes() >> 20));
        assertThat(lineThatStarts("| time of one call |"))
                .contains("| " + defaults.deadline().toSeconds() + " s,");
    }

    @Test
    void everyLinkToAFileLeadsSomewhere() {
        for (String page : List.of(
                "README.md", "docs/firestore.md", "docs/migration.md", "examples/likes/README.md", "CONTRIBUTING.md")) {
            Path file = Path.of("..").resolve(page);
            assertThat(LINK.matcher(read(page)).results().map(link -> link.group(1)))
                    .as(page)
                    .allMatch(link -> Files.exists(file.resolveSibling(link)));
        }
    }

    @Test
    void testCommandIsTheOneThatCiCalls() {
        String command = "./mvnw -B -ntp verify";
        assertThat(readme).contains(command);
        assertThat(read(".ci/run").lines().map(String::strip)).contains(command);
    }

    private String lineThatStarts(String start) {
        return readme.lines().filter(line -> line.startsWith(start)).findFirst().orElseThrow();
    }

    private static List<String> cells(String row) {
        return Pattern.compile("\\|")
                .splitAsStream(row)
                .map(String::strip)
                .filter(cell -> !cell.isEmpty())
                .toList();
    }

    private static JavaFileObject source(String name, String block) {
        String members = block.contains("class ") || block.contains("static ")
                ? block + "public void run() {}"
                : "public void run() throws Exception {"
                        + TOLD.matcher(block).replaceAll("$1 assertThat($2).isEqualTo($3); //") + "}";
        String code = IMPORTS + "public class " + name + " {\n" + members + "}\n";
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
    }

    private static void compile(List<String> blocks, Path classes) {
        List<JavaFileObject> sources = new ArrayList<>();
        for (String block : blocks) {
            sources.add(source("Block" + sources.size(), block));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<String> options =
                List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
        boolean compiled =
                compiler.getTask(null, null, problems, options, null, sources).call();
        assertThat(compiled).as("%s", problems.getDiagnostics()).isTrue();
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of("..").resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
