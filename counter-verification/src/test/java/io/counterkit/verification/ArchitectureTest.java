package io.counterkit.verification;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.counterkit.spi.CounterBackend;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** The most types of a package that a reader can survey. */
    private static final long LARGEST = 25;

    /** The packages that are larger, with their number of types: users of {@code io.counterkit} import one package. */
    private static final Map<String, Long> LARGE = Map.of("io.counterkit", 38L);

    /** What users of the modules import. */
    private static final String[] ROOTS = {
        "io.counterkit",
        "io.counterkit.spi",
        "io.counterkit.spi.forward",
        "io.counterkit.inmemory",
        "io.counterkit.firestore",
        "io.counterkit.firestore.emulator",
        "io.counterkit.firestore.emulator.faults",
        "io.counterkit.datastore",
        "io.counterkit.datastore.adopt",
        "io.counterkit.datastore.cloud",
        "io.counterkit.datastore.common",
        "io.counterkit.datastore.local",
        "io.counterkit.jdbc",
        "io.counterkit.micrometer",
        "io.counterkit.migration",
        "io.counterkit.soak",
        "io.counterkit.spring",
        "io.counterkit.spring.test",
        "io.counterkit.tck"
    };

    /**
     * The helpers in those packages that have to stay there. Elsewhere they would have to be public, and so would the
     * parts of public types that they use.
     */
    private static final Set<String> HELPERS = Set.of(
            // CountersListener.disabled() returns it, and a type in an interface is public.
            "io.counterkit.DisabledListener",
            // One call of BlockingCalls.
            "io.counterkit.spi.BlockingCall",
            // Call the store through the gate, which reaches the inside of Faults and Injection.
            "io.counterkit.inmemory.FaultGate",
            "io.counterkit.inmemory.InMemoryCounters",
            "io.counterkit.inmemory.InMemoryMigration",
            "io.counterkit.inmemory.InMemorySequences",
            // Bases of a public builder or of public options, and what they collect.
            "io.counterkit.firestore.LayoutBuilder",
            "io.counterkit.firestore.Sharding",
            "io.counterkit.firestore.ShardingBuilder",
            "io.counterkit.migration.RunOptions",
            // A call with a fault of FirestoreFaults.
            "io.counterkit.firestore.emulator.faults.DisturbedCall",
            "io.counterkit.firestore.emulator.faults.Replies",
            // The meters of a public listener.
            "io.counterkit.micrometer.BatchMeters",
            // A base of CounterBackendContract, whose nested classes are too many for one file.
            "io.counterkit.tck.OutcomeTests");

    private static final JavaClasses EVERYTHING = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.counterkit");

    private static final JavaClasses ALL =
            EVERYTHING.that(not(resideInAnyPackage("io.counterkit.benchmarks..", "io.counterkit.examples..")));

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

    /** Examples and benchmarks too. */
    @Test
    void packagesAreSmall() {
        Map<String, Long> types = EVERYTHING.stream()
                .filter(ArchitectureTest::isTopLevelType)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(types)
                .containsKeys(ROOTS)
                .containsKeys(
                        "io.counterkit.internal.batch",
                        "io.counterkit.cli",
                        "io.counterkit.tck.chapter.outcome",
                        "io.counterkit.benchmarks.firestore",
                        "io.counterkit.examples.likes");
        Map<String, Long> large = new TreeMap<>(types);
        large.values().removeIf(count -> count <= LARGEST);
        assertThat(large).isEqualTo(LARGE);
    }

    @Test
    void rootPackagesHoldWhatUsersImport() {
        Set<String> helpers = ALL.stream()
                .filter(type -> isTopLevelType(type)
                        && Set.of(ROOTS).contains(type.getPackageName())
                        && !type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(helpers).isEqualTo(new TreeSet<>(HELPERS));
    }

    private static boolean isTopLevelType(JavaClass type) {
        return type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
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
        Set<String> backends = ALL.stream()
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
        rule.check(ALL);
    }
}
