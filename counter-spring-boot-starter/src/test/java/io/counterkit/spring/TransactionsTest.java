package io.counterkit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.jdbc.JdbcCounterBackend;
import io.counterkit.jdbc.JdbcTransaction;
import io.counterkit.jdbc.server.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Counters on JDBC take part in the transactions of the application. */
@ParameterizedClass
@EnumSource
class TransactionsTest {
    enum Database {
        SQLITE,
        POSTGRESQL
    }

    @Parameter
    private Database database = Database.SQLITE;

    private final String name = Application.randomName();
    private final IdempotencyToken token = IdempotencyToken.random();

    @TempDir
    private Path directory;

    private void run(Consumer<ApplicationContext> test) {
        ApplicationContextRunner application = Application.countingOn(directory).withBean(Orders.class);
        if (database == Database.SQLITE) {
            run(application, test);
        } else {
            runOnPostgres(application, test);
        }
    }

    /** Runs the test with all tables in a schema of their own. */
    private static void runOnPostgres(ApplicationContextRunner application, Consumer<ApplicationContext> test) {
        PGSimpleDataSource server = PostgresServer.shared();
        String schema = "s" + UUID.randomUUID().toString().replace('-', '_');
        execute(server, "CREATE SCHEMA " + schema);
        run(
                application.withPropertyValues(
                        "spring.datasource.url=" + server.getUrl(),
                        "spring.datasource.username=" + server.getUser(),
                        "spring.datasource.password=" + Objects.requireNonNullElse(server.getPassword(), ""),
                        "spring.datasource.hikari.schema=" + schema),
                test);
        execute(server, "DROP SCHEMA " + schema + " CASCADE");
    }

    private static void execute(DataSource source, String sql) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    private static void run(ApplicationContextRunner application, Consumer<ApplicationContext> test) {
        application.run(context -> {
            context.getBean(JdbcTemplate.class).execute("CREATE TABLE orders (number INTEGER)");
            test.accept(context);
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static long orders(ApplicationContext context) {
        Long orders = context.getBean(JdbcTemplate.class).queryForObject("SELECT count(*) FROM orders", Long.class);
        return orders == null ? -1 : orders;
    }

    /** What an application writes. */
    static class Orders {
        private final CounterTransactions transactions;
        private final JdbcTemplate jdbc;

        Orders(CounterTransactions transactions, JdbcTemplate jdbc) {
            this.transactions = transactions;
            this.jdbc = jdbc;
        }

        @Transactional
        public long order(String name, boolean isRefused) {
            long number = transactions.current().append(name, Map.of("customer", "c-17"));
            transactions.current().add(name, 2);
            jdbc.update("INSERT INTO orders (number) VALUES (?)", number);
            if (isRefused) {
                throw new IllegalArgumentException("refused on purpose");
            }
            return number;
        }
    }

    /** As the bean of an application that makes its beans when it first uses them. */
    @Test
    void backendThatIsCreatedInATransaction_leavesItOpen() {
        run(context -> {
            DataSource bound = new TransactionAwareDataSourceProxy(context.getBean(DataSource.class));
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            transaction(context).executeWithoutResult(status -> {
                jdbc.update("INSERT INTO orders (number) VALUES (1)");
                JdbcCounterBackend.create(bound).close();
                jdbc.update("INSERT INTO orders (number) VALUES (2)");
            });
            assertThat(orders(context)).isEqualTo(2);
        });
    }

    /** A commit of it would commit what the application has changed before, and its later changes one by one. */
    @Test
    void transactionOfTheBackend_isNotThatOfTheThread() {
        run(context -> {
            DataSource bound = new TransactionAwareDataSourceProxy(context.getBean(DataSource.class));
            JdbcCounterBackend backend = JdbcCounterBackend.create(bound);
            transaction(context).executeWithoutResult(status -> {
                JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                if (database != Database.SQLITE) { // which has one writer
                    jdbc.update("INSERT INTO orders (number) VALUES (1)");
                }
                backend.transact(token, tx -> tx.add(name, 3));
                jdbc.update("INSERT INTO orders (number) VALUES (2)");
                status.setRollbackOnly();
            });
            assertThat(orders(context)).isZero();
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(3);
            backend.close();
        });
    }

    @Test
    void transactionalMethodNumbersAndStoresAllOrNothing() {
        run(context -> {
            Orders shop = context.getBean(Orders.class);
            assertThat(shop.order(name, false)).isEqualTo(1);
            assertThat(catchThrowable(() -> shop.order(name, true))).hasMessage("refused on purpose");
            assertThat(shop.order(name, false)).isEqualTo(2);
            Counters counters = context.getBean(Counters.class);
            assertThat(counters.sequence(name).last()).isEqualTo(2);
            assertThat(counters.counter(name).get()).isEqualTo(4);
            assertThat(orders(context)).isEqualTo(2);
        });
    }

    @Test
    void tokenDecidesWhetherTheTransactionWasCommitted() {
        run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            transaction(context).executeWithoutResult(status -> {
                transactions.current(token).append(name, Map.of());
                transactions.current(token).add(name, 3);
                transactions.current().add(name, 4);
            });
            assertThat(context.getBean(Counters.class).resolve(token)).isInstanceOf(Resolution.Committed.class);
            transaction(context).executeWithoutResult(status -> {
                JdbcTransaction again = transactions.current(token);
                assertThat(again.isRepeated()).isTrue();
                assertThat(again.numbers()).containsExactly(1L);
            });
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(7);
        });
    }

    @Test
    void tokenThatComesTooLateIsRefused() {
        run(context -> transaction(context).executeWithoutResult(status -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            transactions.current().add(name, 1);
            assertThatIllegalStateException()
                    .isThrownBy(() -> transactions.current(token))
                    .withMessageContaining("the transaction has no token");
        }));
    }

    @Test
    void transactionsAfterOneAnotherDoNotShareTheirParts() {
        run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            transaction(context).executeWithoutResult(status -> {
                transactions.current().add(name, 1);
                status.setRollbackOnly();
            });
            transaction(context)
                    .executeWithoutResult(status -> transactions.current().add(name, 5));
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(5);
        });
    }

    /** The outer transaction has changed nothing yet, or SQLite would not let the inner one write. */
    @Test
    void suspendedTransactionKeepsItsOwnPart() {
        run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            TransactionTemplate inner = transaction(context);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            transaction(context).executeWithoutResult(outer -> {
                inner.executeWithoutResult(status -> transactions.current().add(name, 1));
                transactions.current().add(name, 10);
                outer.setRollbackOnly();
            });
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(1);
        });
    }

    /** A callback after the completion is in no transaction any more, although Spring's flag still says so. */
    @Test
    void useAfterTheCompletion_isRefused_andDisturbsNoLaterTransaction() {
        run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            List<Throwable> refusals = new ArrayList<>();
            transaction(context).executeWithoutResult(status -> {
                transactions.current().add(name, 1);
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCompletion(int result) {
                        refusals.add(catchThrowable(transactions::current));
                    }
                });
            });
            assertThat(refusals).singleElement().isInstanceOf(IllegalStateException.class);
            transaction(context)
                    .executeWithoutResult(status -> transactions.current().add(name, 5));
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(6);
        });
    }

    @Test
    void rollbackToASavepointBeforeTheToken_storesTheTokenAgain() {
        run(context -> {
            CounterTransactions transactions = context.getBean(CounterTransactions.class);
            TransactionTemplate nested = transaction(context);
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            transaction(context).executeWithoutResult(outer -> {
                nested.executeWithoutResult(status -> {
                    transactions.current(token).add(name, 1);
                    status.setRollbackOnly();
                });
                assertThat(transactions.current(token).isRepeated()).isFalse();
                transactions.current(token).add(name, 10);
            });
            assertThat(context.getBean(Counters.class).counter(name).get()).isEqualTo(10);
            assertThat(context.getBean(Counters.class).resolve(token)).isInstanceOf(Resolution.Committed.class);
        });
    }

    @Test
    void withoutATransaction_saysWhatIsMissing() {
        run(context -> assertThatIllegalStateException()
                .isThrownBy(() -> context.getBean(CounterTransactions.class).current())
                .withMessageContaining("annotate the method with @Transactional"));
    }
}
