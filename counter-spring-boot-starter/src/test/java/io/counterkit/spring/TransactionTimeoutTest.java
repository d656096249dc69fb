package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcCounterOptions;
import io.counterkit.jdbc.server.PostgresServer;
import io.counterkit.spring.internal.transaction.CommittedTransactions;
import io.counterkit.spring.internal.transaction.ThreadBoundTransactions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

/** The time that a transaction of the application may take is that of its adds and appends too. */
class TransactionTimeoutTest {
    private final String name = Application.randomName();

    @TempDir
    private Path directory;

    @Test
    void transactionWhoseTimeIsOver_acceptsNothingMore() {
        Application.countingOn(directory).run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            TransactionTemplate limited = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            limited.setTimeout(1);
            assertThatExceptionOfType(TransactionTimedOutException.class)
                    .isThrownBy(() -> limited.executeWithoutResult(status -> {
                        transactions.current().add(name, 1);
                        await().pollInSameThread()
                                .untilAsserted(() -> assertThatExceptionOfType(TransactionTimedOutException.class)
                                        .isThrownBy(() -> jdbc.queryForList("SELECT 1")));
                        transactions.current().append(name, Map.of());
                    }));
            assertThat(context.getBean(Counters.class).counter(name).get()).isZero();
        });
    }

    /** A transaction without a limit waits longer for a lock, and still does when the limited one has failed. */
    @Test
    void waitForALock_endsWithTheTimeOfTheTransaction() throws SQLException {
        PGSimpleDataSource source = PostgresServer.shared();
        JdbcCounterOptions options = JdbcCounterOptions.builder()
                .tablePrefix("timeout_")
                .createTables(true)
                .build();
        try (JdbcCounterBackend backend = JdbcCounterBackend.create(source, options);
                Connection lock = source.getConnection()) {
            CounterTransactions transactions =
                    new ThreadBoundTransactions(backend, new CommittedTransactions(new DefaultListableBeanFactory()));
            lock.setAutoCommit(false);
            backend.within(lock).add(name, 1);
            CompletableFuture<Void> unlimited = CompletableFuture.runAsync(
                    () -> transaction(source)
                            .executeWithoutResult(
                                    status -> transactions.current().add(name, 1)),
                    task -> new Thread(task).start());
            TransactionTemplate limited = transaction(source);
            limited.setTimeout(1);
            assertThatExceptionOfType(ContentionException.class)
                    .isThrownBy(() -> limited.executeWithoutResult(
                            status -> transactions.current().add(name, 1)));
            assertThat(unlimited).isNotDone();
            lock.commit();
            unlimited.join();
        }
    }

    private static TransactionTemplate transaction(DataSource source) {
        return new TransactionTemplate(new JdbcTransactionManager(source));
    }
}
