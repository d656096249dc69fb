package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Resolution;
import io.counterkit.jdbc.SchemaTest.Store;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.StoreFault;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each call of a transaction of the application fails, or loses its reply, the commit too. Its token decides what it
 * was.
 */
class WithinFaultsTest {
    @TempDir
    Path directory;

    private final JdbcFaults faults = new JdbcFaults();

    @ParameterizedTest
    @EnumSource
    void tokenDecidesWhetherTheTransactionWasCommitted(Store store) throws SQLException {
        Shop shop = new Shop(store, directory);
        DataSource disturbed = faults.around(shop.source, JdbcFaults.Calls.ROUND_TRIPS);
        int lostCommits = 0;
        long applied = 0;
        try (Counters counters = Counters.over(shop.backend)) {
            for (StoreFault fault : new StoreFault[] {StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY}) {
                boolean isHit = true;
                for (int call = 1; isHit; call++) {
                    IdempotencyToken token = IdempotencyToken.random();
                    boolean isCommitted;
                    try (InjectedFault injected = faults.inject(fault, call)) {
                        isCommitted = isCommitted(shop, disturbed, token);
                        isHit = injected.isHit();
                    }
                    boolean isApplied = counters.resolve(token).applied();
                    assertThat(isApplied).as("%s at call %s", fault, call).isEqualTo(isCommitted || isApplied);
                    lostCommits += isApplied && !isCommitted ? 1 : 0;
                    applied += isApplied ? 1 : 0;
                    assertThat(counters.sequence(shop.name).last())
                            .as("%s at call %s", fault, call)
                            .isEqualTo(applied);
                    assertThat(counters.counter(shop.name).get()).isEqualTo(3 * applied);
                    assertThat(shop.orders()).isEqualTo(applied);
                    assertRepeats(shop, token, isApplied ? applied : 0);
                }
            }
        }
        assertThat(lostCommits).as("commits whose reply was lost").isEqualTo(1);
    }

    private static boolean isCommitted(Shop shop, DataSource disturbed, IdempotencyToken token) throws SQLException {
        try (Connection connection = Shop.begin(disturbed)) {
            try {
                shop.order(connection, token);
                connection.commit();
                return true;
            } catch (NotAppliedException | SQLException e) {
                rollBack(connection);
                return false;
            }
        }
    }

    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            assertThat(e.getMessage()).contains("closed"); // by the fault: the server has rolled back then
        }
    }

    /** Sent again, it is recognized if it was applied, and refused if it was resolved as not applied. */
    private static void assertRepeats(Shop shop, IdempotencyToken token, long number) throws SQLException {
        try (Connection connection = Shop.begin(shop.source)) {
            try {
                assertThat(shop.order(connection, token)).isEqualTo(number);
            } catch (NotAppliedException e) {
                assertThat(number).as("%s", e).isZero();
                assertThat(e.getMessage()).endsWith(new Resolution.NotApplied() + "; use another token");
            }
            connection.rollback();
        }
    }
}
