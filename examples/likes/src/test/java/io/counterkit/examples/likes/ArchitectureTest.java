package io.counterkit.examples.likes;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.counterkit.spi.Backoff;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.RecentlyUsed;
import org.junit.jupiter.api.Test;

/** The application uses the API; only one class knows the backends. */
class ArchitectureTest {
    private static final String ROOT = "io.counterkit.examples.likes";
    private static final DescribedPredicate<JavaClass> API =
            resideInAnyPackage("io.counterkit", "java..", "org.jspecify.annotations");

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void wallUsesTheApiOnly() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".wall")
                .should()
                .onlyDependOnClassesThat(API.or(resideInAPackage(ROOT + ".wall"))
                        // The kind of a batch is part of the listener.
                        .or(belongToAnyOf(ChangeTarget.Kind.class, Backoff.class, RecentlyUsed.class)))
                .check(ALL);
    }

    @Test
    void pageUsesTheApiTheServerAndJsonOnly() {
        classes()
                .that()
                .resideInAPackage(ROOT + ".web")
                .should()
                .onlyDependOnClassesThat(API.or(resideInAnyPackage(ROOT + ".wall", ROOT + ".web"))
                        .or(resideInAnyPackage("org.eclipse.jetty..", "com.google.gson..")))
                .check(ALL);
    }

    @Test
    void onlyStoreChoiceKnowsTheBackends() {
        noClasses()
                .that()
                .doNotHaveSimpleName("StoreChoice")
                .and()
                .haveNameNotMatching(".*StoreChoice\\$.*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.counterkit.inmemory..",
                        "io.counterkit.datastore..",
                        "io.counterkit.firestore..",
                        "io.counterkit.jdbc..",
                        "org.sqlite..",
                        "com.google.auth..",
                        "com.google.cloud..",
                        "com.google.appengine..")
                .check(ALL);
    }
}
