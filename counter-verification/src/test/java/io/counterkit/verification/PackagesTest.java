package io.counterkit.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The sizes of packages, and what the packages hold that users import. */
class PackagesTest {
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

    /** Examples and benchmarks too. */
    @Test
    void packagesAreSmall() {
        Map<String, Long> types = ProjectClasses.ALL.stream()
                .filter(PackagesTest::isTopLevelType)
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
        Set<String> helpers = ProjectClasses.LIBRARIES.stream()
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
}
