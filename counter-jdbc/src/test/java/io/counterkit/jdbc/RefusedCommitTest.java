package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.jdbc.SchemaTest.Store;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A deferred trigger or constraint checks a rule of the application, and refuses the commit. It would refuse each
 * further attempt too.
 */
class RefusedCommitTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"P0001", "23503"})
    void transactionWhoseCommitIsRefused_isNotAppliedAndNotRepeated(String state) throws SQLException {
        Shop shop = new Shop(Store.POSTGRESQL, directory);
        String rule = "rule_" + shop.table;
        SchemaTest.execute(
                shop.source,
                "CREATE FUNCTION " + rule + "() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN RAISE EXCEPTION 'out of stock' USING ERRCODE = '" + state + "'; END $$");
        SchemaTest.execute(
                shop.source,
                "CREATE CONSTRAINT TRIGGER " + rule + " AFTER INSERT ON " + shop.table
                        + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION " + rule + "()");
        AtomicInteger runs = new AtomicInteger();
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> shop.backend.transact(IdempotencyToken.random(), tx -> {
                    runs.incrementAndGet();
                    shop.insert(tx.connection(), tx.append(shop.name, Map.of()));
                }))
                .withMessageStartingWith("the transaction failed: ERROR: out of stock");
        assertThat(runs).hasValue(1);
        assertThat(shop.orders()).isZero();
        shop.backend.close();
    }
}
