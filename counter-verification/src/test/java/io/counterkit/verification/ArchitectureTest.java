package io.counterkit.verification;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The boundaries between the modules. */
class ArchitectureTest {
    private static final String[] API = {"io.counterkit", "io.counterkit.spi", "io.counterkit.combining"};
    private static final String[] JDK_AND_JSPECIFY = {"java..", "org.jspecify.annotations"};

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.counterkit");

    @Test
    void apiDependsOnTheJdkAndJSpecifyOnly() {
        check(classes()
                .that()
                .resideInAnyPackage(API)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(API).or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void combiningIsUsedByTheApiOnly() {
        check(noClasses()
                .that(not(resideInAnyPackage(API)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.counterkit.combining"));
    }

    @Test
    void onlyGuicePackagesImportGuice() {
        check(noClasses()
                .that(not(resideInAnyPackage("..guice..", "io.counterkit.cli..", "io.counterkit.verification..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.google.inject.."));
    }

    @Test
    void backendInMemoryDependsOnTheApiOnly() {
        check(classes()
                .that()
                .resideInAPackage("io.counterkit.inmemory")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAPackage("io.counterkit.inmemory"))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void kitDependsOnNoBackend() {
        check(noClasses()
                .that()
                .resideInAPackage("io.counterkit.tck..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.counterkit..")
                        .and(not(resideInAnyPackage("io.counterkit", "io.counterkit.spi", "io.counterkit.tck")))));
    }

    @Test
    void librariesDoNotPrint() {
        check(noClasses().that(not(resideInAPackage("io.counterkit.cli.."))).should(ACCESS_STANDARD_STREAMS));
    }

    @Test
    void librariesLogThroughTheJdkOnly() {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("java.util.logging", "org.slf4j.."));
    }

    private void check(ArchRule rule) {
        rule.check(ALL);
    }
}
