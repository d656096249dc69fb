package io.counterkit.verification;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import io.counterkit.spi.CounterBackend;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The boundaries between the modules. */
class ArchitectureTest {
    private static final String[] API = {
        "io.counterkit", "io.counterkit.spi", "io.counterkit.spi.forward", "io.counterkit.internal.."
    };
    private static final String[] JDK_AND_JSPECIFY = {"java..", "org.jspecify.annotations"};

    /** The modules whose internal packages each have a purpose of their own. */
    private static final Set<String> ROOMS = Set.of(
            "io.counterkit.inmemory",
            "io.counterkit.firestore",
            "io.counterkit.datastore",
            "io.counterkit.jdbc",
            "io.counterkit.datastore.cloud",
            "io.counterkit.datastore.local",
            "io.counterkit.firestore.emulator",
            "io.counterkit.migration",
            "io.counterkit.soak",
            "io.counterkit.spring",
            "io.counterkit.tck");

    /** What the backends on a Datastore share. */
    private static final String[] DATASTORE_CORE = {
        "io.counterkit.datastore.adopt",
        "io.counterkit.datastore.common",
        "io.counterkit.datastore.internal.store",
        "io.counterkit.datastore.internal.schema",
        "io.counterkit.datastore.internal.chain",
        "io.counterkit.datastore.internal.operation",
        "io.counterkit.datastore.internal.adopt"
    };

    @Test
    void apiDependsOnTheJdkAndJSpecifyOnly() {
        check(classes()
                .that()
                .resideInAnyPackage(API)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(API).or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void internalPackagesAreUsedByTheirOwnModuleOnly() {
        check(noClasses()
                .that(not(resideInAnyPackage(API)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.counterkit.internal.."));
        for (String module : ROOMS) {
            check(noClasses()
                    .that(not(resideInAnyPackage(
                            module,
                            module + ".guice",
                            module + ".common",
                            module + ".autoconfigure",
                            module + ".chapter..",
                            module + ".cloud..", // the other side of the algorithm on a Datastore
                            module + ".internal..")))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(module + ".internal.."));
        }
    }

    @Test
    void algorithmOnADatastoreKnowsNoClient() {
        check(classes()
                .that()
                .resideInAnyPackage(DATASTORE_CORE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage(DATASTORE_CORE))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void backendOnGooglesDatastoreClientKnowsNothingOfAppEngines() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.datastore.cloud", "io.counterkit.datastore.cloud.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage(
                                "io.counterkit.datastore.cloud", "io.counterkit.datastore.cloud.internal.."))
                        .or(resideInAnyPackage(DATASTORE_CORE))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAnyPackage("com.google.cloud..", "com.google.api.client.http", "com.google.rpc"))));
    }

    @Test
    void internalPackagesFormNoCycle() {
        check(slices().matching("io.counterkit.internal.(*)..").should().beFreeOfCycles());
        for (String module : ROOMS) {
            check(slices().matching(module + ".internal.(*)..").should().beFreeOfCycles());
        }
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
    void onlyTheBinderAndTheStarterImportMicrometer() {
        check(noClasses()
                .that(not(resideInAnyPackage("io.counterkit.micrometer", "io.counterkit.spring..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer.."));
    }

    @Test
    void onlyTheStarterImportsSpring() {
        check(noClasses()
                .that(not(resideInAPackage("io.counterkit.spring..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
    }

    /** The test slice is for tests: nothing that runs in production needs it. */
    @Test
    void starterDoesNotUseItsTestSlice() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "io.counterkit.spring",
                        "io.counterkit.spring.autoconfigure..",
                        "io.counterkit.spring.internal.transaction..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.counterkit.spring.test", "io.counterkit.spring.internal.slice.."));
    }

    @Test
    void binderForMicrometerDependsOnTheApiAndMicrometerOnly() {
        check(classes()
                .that()
                .resideInAPackage("io.counterkit.micrometer")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAPackage("io.counterkit.micrometer"))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAPackage("io.micrometer.core.instrument.."))));
    }

    @Test
    void backendInMemoryDependsOnTheApiOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.inmemory", "io.counterkit.inmemory.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage("io.counterkit.inmemory", "io.counterkit.inmemory.internal.."))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void backendOnFirestoreDependsOnTheApiAndItsClientOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.firestore", "io.counterkit.firestore.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage("io.counterkit.firestore", "io.counterkit.firestore.internal.."))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAnyPackage(
                                "com.google.cloud..",
                                "com.google.api..",
                                "com.google.common.util.concurrent",
                                "io.grpc"))));
    }

    @Test
    void backendOnAppEnginesDatastoreDependsOnTheApiAndItsClientOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.datastore", "io.counterkit.datastore.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage("io.counterkit.datastore", "io.counterkit.datastore.internal.."))
                        .or(resideInAnyPackage("io.counterkit.datastore.adopt", "io.counterkit.datastore.common"))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAnyPackage("com.google.appengine.api..", "com.google.apphosting.api"))));
    }

    @Test
    void backendOnJdbcDependsOnTheApiAndJdbcOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.jdbc", "io.counterkit.jdbc.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage("io.counterkit.jdbc", "io.counterkit.jdbc.internal.."))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAPackage("javax.sql"))));
    }

    @Test
    void localDatastoreDependsOnTheApiAndTheDatastoreOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.datastore.local", "io.counterkit.datastore.local.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage(
                                "io.counterkit.datastore",
                                "io.counterkit.datastore.local",
                                "io.counterkit.datastore.local.internal.."))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAnyPackage("com.google.appengine..", "com.google.apphosting.api"))));
    }

    @Test
    void migrationDependsOnTheApiOnly() {
        check(classes()
                .that()
                .resideInAnyPackage("io.counterkit.migration", "io.counterkit.migration.internal..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi")
                        .or(resideInAnyPackage("io.counterkit.migration", "io.counterkit.migration.internal.."))
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))));
    }

    @Test
    void kitDependsOnNoBackend() {
        check(noClasses()
                .that()
                .resideInAPackage("io.counterkit.tck..")
                .should()
                .dependOnClassesThat(resideInAPackage("io.counterkit..")
                        .and(not(resideInAnyPackage("io.counterkit", "io.counterkit.spi", "io.counterkit.tck..")))));
    }

    @Test
    void librariesDoNotPrint() {
        check(noClasses().that(not(resideInAPackage("io.counterkit.cli.."))).should(ACCESS_STANDARD_STREAMS));
    }

    @Test
    void librariesLogThroughTheJdkOnly() {
        check(noClasses()
                .that(not(resideInAPackage("io.counterkit.cli.."))) // an application, which configures logging
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging", "org.slf4j.."));
    }

    @Test
    void kitUsesTheApiAndItsTestLibrariesOnly() {
        check(classes()
                .that()
                .resideInAPackage("io.counterkit.tck..")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage("io.counterkit", "io.counterkit.spi", "io.counterkit.tck..")
                        .or(resideInAnyPackage(JDK_AND_JSPECIFY))
                        .or(resideInAnyPackage("org.junit.jupiter.api..", "org.assertj..", "org.awaitility.."))));
    }

    @Test
    void forwardingClassesUseTheSpiOnlyAndTheApiDoesNotUseThem() {
        check(classes()
                .that()
                .resideInAPackage("io.counterkit.spi.forward")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage("io.counterkit", "io.counterkit.spi", "io.counterkit.spi.forward")
                                .or(resideInAnyPackage(JDK_AND_JSPECIFY))));
        check(noClasses()
                .that()
                .resideInAnyPackage("io.counterkit", "io.counterkit.spi", "io.counterkit.internal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.counterkit.spi.forward"));
    }

    @Test
    void noBackendDependsOnAnother() {
        Set<String> backends = ProjectClasses.LIBRARIES.stream()
                .filter(type -> type.isAssignableTo(CounterBackend.class)
                        && !type.getPackageName().startsWith("io.counterkit.spi")
                        && !type.getPackageName().startsWith("io.counterkit.cli")) // wraps one backend, and knows all
                .map(backend -> packages(backend.getPackageName().split("\\.", 4)[2]))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(backends)
                .contains(packages("inmemory"), packages("firestore"), packages("datastore"), packages("jdbc"));
        for (String backend : backends) {
            Set<String> others = new TreeSet<>(backends);
            others.remove(backend);
            check(noClasses()
                    .that()
                    .resideInAPackage(backend)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others.toArray(String[]::new)));
        }
    }

    private static String packages(String module) {
        return "io.counterkit." + module + "..";
    }

    private void check(ArchRule rule) {
        rule.check(ProjectClasses.LIBRARIES);
    }
}
