package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.counterkit.Counters;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of other managers and data sources than those of Spring Boot. */
class OtherTransactionsTest {
    private final String name = Application.randomName();

    @TempDir
    private Path directory;

    /** Spring keeps a connection that was used. If it does not commit by itself, adds on it would be lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transactionOfAnotherDataSource_isRefused(boolean isAutoCommit) {
        Application.countingOn(directory)
                .withPropertyValues("spring.datasource.hikari.auto-commit=" + isAutoCommit)
                .run(context -> {
                    CounterTransactions transactions = context.getBean(CounterTransactions.class);
                    TransactionTemplate other = new TransactionTemplate(new DataSourceTransactionManager(
                            new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("other.db"))));
                    other.executeWithoutResult(status -> {
                        assertIsOfAnotherDataSource(transactions);
                        context.getBean(JdbcTemplate.class).execute("SELECT 1");
                        assertIsOfAnotherDataSource(transactions);
                    });
                    assertThat(context.getBean(Counters.class).counter(name).get())
                            .isZero();
                });
    }

    private static void assertIsOfAnotherDataSource(CounterTransactions transactions) {
        assertThatIllegalStateException()
                .isThrownBy(transactions::current)
                .withMessageContaining("not one of the counters' data source");
    }

    /** The application has made the backend itself, on a data source that is not the one of its other tables. */
    @Test
    void backendOnADataSourceOfItsOwn_joinsTheTransactionsOfThatOne() {
        DataSource counts = new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("counts.db"));
        Application.on(directory)
                .withBean(
                        JdbcCounterBackend.class,
                        () -> JdbcCounterBackend.create(
                                new TransactionAwareDataSourceProxy(counts),
                                JdbcCounterOptions.builder().createTables(true).build()))
                .run(context -> {
                    CounterTransactions transactions = context.getBean(CounterTransactions.class);
                    Counters counters = context.getBean(Counters.class);
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> assertIsOfAnotherDataSource(transactions));
                    TransactionTemplate own = new TransactionTemplate(new DataSourceTransactionManager(counts));
                    own.executeWithoutResult(status -> transactions.current().add(name, 3));
                    own.executeWithoutResult(status -> {
                        transactions.current().add(name, 10);
                        status.setRollbackOnly();
                    });
                    assertThat(counters.counter(name).get()).isEqualTo(3);
                });
    }

    /** The manager of JPA does so. */
    @Test
    void transactionWhoseManagerKeepsAHandleOfItsOwn_isJoined() {
        Application.countingOn(directory).run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            TransactionTemplate transaction = new TransactionTemplate(new Manager(context.getBean(DataSource.class)));
            transaction.executeWithoutResult(status -> transactions.current().add(name, 1));
            transaction.executeWithoutResult(status -> {
                transactions.current().add(name, 10);
                status.setRollbackOnly();
            });
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(1);
        });
    }

    @SuppressWarnings("serial")
    private static final class Manager extends AbstractPlatformTransactionManager {
        private final DataSource dataSource;

        Manager(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        protected Object doGetTransaction() {
            return dataSource;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            call(() -> {
                Connection connection = dataSource.getConnection();
                connection.setAutoCommit(false);
                TransactionSynchronizationManager.bindResource(dataSource, new ConnectionHolder(() -> connection));
            });
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            call(() -> connection().commit());
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            call(() -> connection().rollback());
        }

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            Connection connection = connection();
            TransactionSynchronizationManager.unbindResource(dataSource);
            call(connection::close);
        }

        private Connection connection() {
            return ((ConnectionHolder) TransactionSynchronizationManager.getResource(dataSource)).getConnection();
        }

        private static void call(Action action) {
            try {
                action.run();
            } catch (SQLException e) {
                throw new TransactionSystemException("the connection failed", e);
            }
        }

        private interface Action {
            void run() throws SQLException;
        }
    }
}
