package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles and runs the Java blocks of a page, and asserts the values that their comments state. */
final class Snippets {
    private static final Pattern BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    /** A variable whose value a comment states. */
    private static final Pattern STATED_VALUE =
            Pattern.compile("(?m)^((?:long|int|double|boolean) (\\w+) = .*;)\\s*// (-?\\d+(?:\\.\\d+)?)(?=[:;,]|$)");

    private static final String IMPORTS = """
            import static org.assertj.core.api.Assertions.*;
            import com.google.inject.*;
            import com.google.inject.Module; // not that of java.lang
            import com.google.appengine.api.datastore.DatastoreService;
            import com.google.appengine.api.datastore.Entity;
            import com.google.cloud.NoCredentials;
            import com.google.cloud.datastore.Datastore;
            import com.google.cloud.datastore.DatastoreOptions;
            import com.google.cloud.firestore.*;
            import io.counterkit.*;
            import io.counterkit.datastore.*;
            import io.counterkit.datastore.adopt.*;
            import io.counterkit.datastore.cloud.DatastoreCounterBackend;
            import io.counterkit.datastore.cloud.DatastoreCounterOptions;
            import io.counterkit.datastore.guice.*;
            import io.counterkit.datastore.local.*;
            import io.counterkit.firestore.*;
            import io.counterkit.firestore.emulator.*;
            import io.counterkit.firestore.guice.*;
            import io.counterkit.inmemory.*;
            import io.counterkit.inmemory.guice.*;
            import io.counterkit.jdbc.*;
            import io.counterkit.jdbc.guice.*;
            import io.counterkit.micrometer.*;
            import io.counterkit.migration.*;
            import io.counterkit.migration.guice.*;
            import io.counterkit.spi.*;
            import io.micrometer.core.instrument.MeterRegistry;
            import io.micrometer.core.instrument.Tags;
            import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
            import java.nio.file.*;
            import java.sql.Connection;
            import java.sql.PreparedStatement;
            import java.sql.SQLException;
            import java.sql.Statement;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import javax.sql.DataSource;
            import org.sqlite.SQLiteDataSource;
            """;

    private final List<String> blocks;

    private Snippets(List<String> blocks) {
        this.blocks = blocks;
    }

    static Snippets of(String page) {
        return new Snippets(
                BLOCK.matcher(page).results().map(block -> block.group(1)).toList());
    }

    int count() {
        return blocks.size();
    }

    /** Returns whether a block uses Firestore, so that it needs an emulator to run. */
    boolean needsFirestore() {
        return blocks.stream().anyMatch(Snippets::usesFirestore);
    }

    /** Returns the names of the variables whose values are asserted. */
    Stream<String> statedValues() {
        return blocks.stream()
                .flatMap(block -> STATED_VALUE.matcher(block).results())
                .map((MatchResult value) -> value.group(2));
    }

    /** Compiles all blocks into {@code classes} and runs them; one that declares no {@code firestore} gets one. */
    void compileAndRun(Path classes, Supplier<Firestore> firestore) throws Exception {
        compile(classes);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            for (int i = 0; i < blocks.size(); i++) {
                Class<?> type = loader.loadClass("Block" + i);
                Object block = type.getConstructor().newInstance();
                if (usesFirestore(blocks.get(i)) && !blocks.get(i).contains("Firestore firestore")) {
                    type.getField("firestore").set(block, firestore.get());
                }
                type.getMethod("run").invoke(block);
            }
        }
    }

    private void compile(Path classes) {
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

    private static JavaFileObject source(String name, String block) {
        String members = declaresMembers(block)
                ? block + "public void run() {}"
                : "public void run() throws Exception {"
                        + STATED_VALUE.matcher(block).replaceAll("$1 assertThat($2).isEqualTo($3); //") + "}";
        String code = IMPORTS + "public class " + name + " {\npublic Firestore firestore;\n" + members + "}\n";
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
    }

    private static boolean declaresMembers(String block) {
        return block.contains("class ") || block.contains("static ");
    }

    private static boolean usesFirestore(String block) {
        return !declaresMembers(block)
                && (block.contains("firestore.")
                        || block.contains("(firestore)")
                        || block.contains("FirestoreEmulator"));
    }
}
