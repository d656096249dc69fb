package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("contract")
class SqliteContractTest extends CounterBackendContract {
    @TempDir
    static Path directory;

    @Override
    protected BackendFixture createFixture() {
        return new SqliteFixture(directory);
    }
}
