package io.counterkit.jdbc;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends CounterBackendContract {
    @TempDir
    static Path directory;

    @Override
    protected BackendFixture createFixture() {
        return new SqliteFixture(directory);
    }
}
