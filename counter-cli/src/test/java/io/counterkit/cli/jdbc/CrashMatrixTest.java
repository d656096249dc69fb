package io.counterkit.cli.jdbc;

import io.counterkit.cli.jdbc.Stores.Place;
import io.counterkit.cli.migrate.CrashTrial;
import io.counterkit.migration.fixture.FaultyConnection.Fate;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The batch job, to which something happens at each of its store calls in turn. */
@Tag("exhaustive")
class CrashMatrixTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "KILLED_AFTER, '', 15, INMEMORY, SQLITE",
        "REPLY_LOST, source, 8, SQLITE, INMEMORY",
        "REPLY_LOST, target, 8, INMEMORY, SQLITE",
        "NOT_APPLIED, source, 8, SQLITE, INMEMORY",
        "KILLED_AFTER, '', 15, SQLITE, INMEMORY"
    })
    void faultInAnyCall_losesAndRepeatsNothing(Fate fate, String side, int leastCalls, Place from, Place to)
            throws Exception {
        CrashTrial.runAll(fate, side, leastCalls, () -> new Stores(directory).move(from, to));
    }
}
