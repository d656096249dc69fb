package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Beans can be processed when an application is built, as Spring Boot does for a faster start. */
class AheadOfTimeTest {
    @TempDir
    private Path directory;

    @Test
    void namedCountersAreGenerated() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.counterkit.spring", "Generated")), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of(
                            "spring.datasource.url=jdbc:sqlite:" + directory.resolve("shop.db"),
                            "counterkit.backend=jdbc",
                            "counterkit.counters.visits=shop/visits",
                            "counterkit.sequences.orders=shop/orders")
                    .applyTo(context);
            context.register(Application.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet()).anyMatch(file -> file.contains("NamedBeans"));
    }
}
