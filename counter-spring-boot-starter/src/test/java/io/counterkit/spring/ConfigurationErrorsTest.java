package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.datastore.cloud.DatastoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.inmemory.InMemoryBackend;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.spring.autoconfigure.CounterKitAutoConfiguration;
import io.counterkit.spring.autoconfigure.CounterKitHealthAutoConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.sqlite.SQLiteDataSource;

/** What is wrong with the configuration is said at the start, with the way out. */
class ConfigurationErrorsTest {
    private static final Class<?>[] BACKENDS = {
        JdbcCounterBackend.class, FirestoreCounterBackend.class, DatastoreCounterBackend.class, InMemoryBackend.class
    };

    /** Those of Spring Boot too, in the order in which it asks them. */
    private static final List<FailureAnalyzer> ANALYZERS = SpringFactoriesLoader.forDefaultResourceLocation()
            .load(
                    FailureAnalyzer.class,
                    ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                            .and(Environment.class, new StandardEnvironment()),
                    (type, name, failure) -> {}); // some are for libraries that are not here

    @TempDir
    private Path directory;

    private static void assertFails(ApplicationContextRunner application, String description, String action) {
        application.run(context -> {
            FailureAnalysis analysis = analysis(context);
            assertThat(analysis.getDescription()).contains(description);
            assertThat(analysis.getAction()).contains(action);
        });
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        FailureAnalysis analysis = ANALYZERS.stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        assertThat(analysis).as("%s", failure).isNotNull();
        return analysis;
    }

    /** An application without a data source of its own. */
    private static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CounterKitAutoConfiguration.class, CounterKitHealthAutoConfiguration.class));
    }

    @Test
    void withoutABackend() {
        assertFails(
                bare().withClassLoader(new FilteredClassLoader(BACKENDS)),
                "no backend of CounterKit is on the class path",
                "io.counterkit:counter-jdbc, io.counterkit:counter-firestore");
    }

    @Test
    void withSeveralBackends() {
        assertFails(
                bare(),
                "3 possible stores: the backends jdbc and firestore and datastore",
                "Set counterkit.backend to jdbc or firestore or datastore");
    }

    @Test
    void withABackendThatIsNotThere() {
        assertFails(
                bare().withClassLoader(new FilteredClassLoader(FirestoreCounterBackend.class, JdbcCounterBackend.class))
                        .withPropertyValues("counterkit.backend=firestore"),
                "counterkit.backend is 'firestore', and io.counterkit:counter-firestore is not on the class path",
                "or set counterkit.backend to datastore or inmemory");
    }

    /** As in a test in memory: {@code @CounterKitTest} with {@code @SpringBootTest}. */
    @Test
    void withoutTransactions() {
        assertFails(
                bare().withPropertyValues("counterkit.backend=inmemory").withBean(TransactionsTest.Orders.class),
                "Parameter 0 of constructor in io.counterkit.spring.TransactionsTest$Orders requires CounterTransactions.",
                "Set counterkit.backend=jdbc");
    }

    /** Spring Boot's own analysis lists the values. */
    @Test
    void withAnUnknownBackend() {
        bare().withPropertyValues("counterkit.backend=postgresql")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("io.counterkit.spring.autoconfigure.BackendName.postgresql"));
    }

    @Test
    void withoutADataSource() {
        assertFails(
                bare().withPropertyValues("counterkit.backend=jdbc"),
                "The counters need a data source, and the application has none",
                "spring-boot-starter-jdbc");
    }

    @Test
    void withTwoDataSources() {
        assertFails(
                bare().withPropertyValues("counterkit.backend=jdbc")
                        .withBean("orders", DataSource.class, SQLiteDataSource::new)
                        .withBean("counts", DataSource.class, SQLiteDataSource::new),
                "The counters need one data source, and the application has 2: orders, counts",
                "@Primary");
    }

    @Test
    void withoutTables() {
        assertFails(
                Application.on(directory).withPropertyValues("counterkit.backend=jdbc"),
                "the tables 'counterkit_*' are missing",
                "counterkit.jdbc.create-tables=true");
    }

    /** Creating tables would not help. */
    @Test
    void withTablesOfANewerVersion() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("shop.db");
        Application.countingOn(directory).run(context -> assertThat(context).hasNotFailed());
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE counterkit_version SET version = 2");
        }
        Application.countingOn(directory).run(context -> {
            FailureAnalysis analysis = analysis(context);
            assertThat(analysis.getDescription()).contains("have version 2, and this program needs version 1");
            assertThat(analysis.getAction())
                    .contains("version of CounterKit")
                    .contains("counterkit.jdbc.table-prefix")
                    .doesNotContain("create-tables");
        });
    }

    @Test
    void withAnotherDatabase() {
        assertFails(
                Application.countingOn(directory).withPropertyValues("spring.datasource.url=jdbc:sqlite::memory:"),
                "The counters cannot use the database: ",
                "spring.datasource.url, counterkit.jdbc.schema or the version of the driver");
    }

    /** A frequent setting for SQLite. The application's own statements would find no connection. */
    @Test
    void withAPoolThatTheCountersWouldUseUp() {
        assertFails(
                Application.countingOn(directory).withPropertyValues("spring.datasource.hikari.maximum-pool-size=1"),
                "The counters cannot use the database: the data source is a pool with the maximum size 1,",
                "spring.datasource.hikari.maximum-pool-size");
    }

    @Test
    void withADatabaseThatCannotBeReached() {
        assertFails(
                Application.countingOn(directory)
                        .withPropertyValues("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/shop"),
                "The counters cannot start: the database cannot be used: no connection to the database: ",
                "Check that the database is running, that spring.datasource.url");
    }

    @Test
    void withAFileThatIsNoDatabase() throws Exception {
        Files.writeString(directory.resolve("shop.db"), "dear diary, this file is no database at all".repeat(100));
        assertFails(
                Application.countingOn(directory),
                "The counters cannot start: the database file is damaged",
                "Correct spring.datasource.url if it leads to a file of another program");
    }

    @Test
    void withoutAProject() {
        assertFails(
                bare().withPropertyValues("counterkit.backend=datastore", "counterkit.datastore.project="),
                "The counters cannot open a client of the backend 'datastore': the project is empty",
                "Set counterkit.datastore.project");
    }

    /** As of a placeholder whose variable is not set. */
    @ParameterizedTest
    @CsvSource({"firestore,''", "datastore,''", "datastore,localhost", "datastore,http://localhost:8081"})
    void withAnEmulatorWithoutAHostOrPort(String backend, String host) {
        String property = "counterkit." + backend + ".emulator-host";
        assertFails(
                bare().withPropertyValues(
                                "counterkit.backend=" + backend,
                                "counterkit." + backend + ".project=demo",
                                property + "=" + host),
                property + " cannot be used: '" + host + "' is not a host and port",
                "Correct the value of " + property);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        counterkit.deadline             | 0s     | 1 ms to 1 day
        counterkit.drain-timeout        | 2d     | 1 ms to 1 day
        counterkit.queue-limit          | 0      | use 1 or more
        counterkit.queue-bytes          | 1KB    | 128 KiB
        counterkit.token-retention      | 1m     | 1 h
        counterkit.jdbc.schema          | a-b    | 1 to 63 characters
        counterkit.jdbc.table-prefix    | Own    | 1 to 30 characters
        counterkit.jdbc.connections     | 0      | 1 to 100
        counterkit.jdbc.purge-interval  | 0s     | 1 ms to 1 day
        counterkit.deadline             | 13h    | 12 h
        counterkit.health.slow-after    | 0s     | 1 ms to 1 day
        counterkit.health.slow-after    | -1s    | 1 ms to 1 day
        counterkit.health.down-after    | 300000d | 1 ms to 1 day
        """)
    void withAValueOutOfRange(String property, String value, String bound) {
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + directory.resolve("shop.db"));
        bare().withBean(DataSource.class, () -> file)
                .withPropertyValues(
                        "counterkit.backend=jdbc", "counterkit.jdbc.create-tables=true", property + "=" + value)
                .run(context -> {
                    FailureAnalysis analysis = analysis(context);
                    assertThat(analysis.getDescription())
                            .startsWith(property + " cannot be used: ")
                            .contains(bound);
                    assertThat(analysis.getAction()).contains(property);
                });
    }

    @Test
    void withAStoreThatIsDownBeforeItIsSlow() {
        assertFails(
                bare().withPropertyValues(
                                "counterkit.backend=inmemory",
                                "counterkit.health.slow-after=5s",
                                "counterkit.health.down-after=4s"),
                "counterkit.health.slow-after is 5 s, which is more than counterkit.health.down-after, 4 s",
                "counterkit.health.down-after longer");
    }

    @Test
    void withABadName() {
        assertFails(
                bare().withPropertyValues(
                                "counterkit.backend=inmemory", "counterkit.counters.likes=" + "x".repeat(401)),
                "counterkit.counters.likes cannot be used: counter name",
                "Correct the value of counterkit.counters.likes");
    }
}
