package io.counterkit.verification.published;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.datastore.fixture.DatastoreEmulator;
import io.counterkit.firestore.emulator.FirestoreEmulator;
import io.counterkit.tck.Prerequisite;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our artifacts in independent builds. The projects are in {@code src/test/consumers}. */
@Tag("consumers")
class ForeignBuildsTest {
    private static ForeignBuilds builds;
    private static int exitCode;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        builds = ForeignBuilds.prepare();
        exitCode = builds.build();
    }

    /** The projects include each artifact alone, without the BOM, in builds that require convergence. */
    @Test
    void everyProjectBuilds() throws IOException {
        assertThat(exitCode).as("%s", builds.log()).isZero();
    }

    /** Each BOM manages only its own artifacts, so their order makes no difference. */
    @Test
    void orderOfTheBomsMakesNoDifference() throws IOException {
        assertThat(builds.jars("boot-ours-first"))
                .containsExactlyInAnyOrderElementsOf(builds.jars("boot-theirs-first"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"boot-ours-first", "boot-theirs-first"})
    void springBootApplicationCountsInMemory(String project) throws Exception {
        assertSucceeds(builds.run(project, "--counterkit.backend=inmemory"), "counted 3 with meters: true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"boot-ours-first", "boot-theirs-first"})
    void springBootApplicationCountsOnFirestore(String project) throws Exception {
        String emulator = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        assertSucceeds(
                builds.run(
                        project,
                        "--counterkit.firestore.project=demo-shop",
                        "--counterkit.firestore.emulator-host=" + emulator),
                "counted 3 with meters: true");
    }

    @Test
    void applicationWithGuiceCountsOnFirestore() throws Exception {
        String emulator = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        assertSucceeds(builds.run("guice", emulator), "counted 3");
    }

    /** With Google's BOM and the versions that docs/datastore.md gives before it. */
    @Test
    void applicationWithGooglesBomCountsOnBothStores() throws Exception {
        assertThat(builds.jars("datastore"))
                .as("App Engine's client on the class path of an application without it")
                .noneMatch(jar -> jar.contains("appengine-api") || jar.contains("datastore-sequence"));
        String firestore = Prerequisite.required(FirestoreEmulator::shared).hostAndPort();
        try (DatastoreEmulator datastore = Prerequisite.required(() -> DatastoreEmulator.start("--testing"))) {
            assertSucceeds(
                    builds.run("datastore", datastore.hostAndPort(), firestore), "Firestore counted 3, then number 1");
        }
    }

    /** The project that docs/writing-a-backend.md begins with. */
    @Test
    void backendOutsideOfThisHouseKeepsTheContract() throws Exception {
        Map.Entry<Integer, String> run = builds.test("backend", "H2ContractTest");
        assertSucceeds(run, "Failures: 0, Errors: 0");
        assertThat(run.getValue()).containsPattern("Tests run: \\d{3},");
    }

    private static void assertSucceeds(Map.Entry<Integer, String> run, String said) {
        assertThat(run.getKey()).as("%s", run.getValue()).isZero();
        assertThat(run.getValue()).contains(said);
    }
}
