package io.counterkit.samples.h2;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

// docs: contract
class H2ContractTest extends CounterBackendContract {
    @TempDir
    static Path directory;

    @Override
    protected BackendFixture createFixture() {
        return new H2Fixture(directory);
    }

    /** Closes the files, so that the directory can be deleted. */
    @AfterAll
    static void shutDown() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + directory.resolve("counters"));
                Statement statement = connection.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }
}
// docs: end
