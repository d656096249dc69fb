package io.counterkit.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.counterkit.ContentionException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.OutcomeUnknownException;
import io.counterkit.Resolution;
import io.counterkit.jdbc.server.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.Test;
import org.postgresql.xa.PGXADataSource;

/** A distributed transaction (XA), which is prepared, and later committed or rolled back, by a transaction manager. */
class PreparedTransactionTest {
    /** Waits for a lock until about half a second before the deadline. */
    private static final CountersOptions HASTY =
            CountersOptions.builder().deadline(Duration.ofSeconds(3)).build();

    private static final CountersOptions PATIENT =
            CountersOptions.builder().deadline(Duration.ofMinutes(2)).build();

    private final JdbcCounterOptions options =
            JdbcCounterOptions.builder().createTables(true).build();

    @Test
    void changes_areAppliedByTheSecondPhase_evenAfterTheServerWasKilled() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            JdbcCounterBackend backend = JdbcCounterBackend.create(server.dataSource(), options);
            try (Counters counters = Counters.over(backend, PATIENT);
                    Counters hasty = Counters.over(JdbcCounterBackend.create(server.dataSource(), options), HASTY)) {
                counters.counter("likes").add(1);
                Xid kept = prepare(server, backend, "kept");
                Xid undone = prepare(server, backend, "undone");
                server.kill();
                server.startAgain();
                assertThat(counters.counter("likes of kept").get()).isZero();
                assertThat(counters.sequence("orders of kept").last()).isZero();
                assertThatExceptionOfType(ContentionException.class)
                        .isThrownBy(() -> hasty.counter("likes of kept").add(1, IdempotencyToken.of("another")));
                assertThatExceptionOfType(OutcomeUnknownException.class)
                        .isThrownBy(() -> hasty.resolve(IdempotencyToken.of("kept")));
                CompletableFuture<?> waiting =
                        counters.sequence("orders of kept").async().next();
                XAConnection manager = connect(server);
                manager.getXAResource().commit(kept, false);
                manager.getXAResource().rollback(undone);
                manager.close();
                assertThat(waiting).succeedsWithin(Duration.ofMinutes(2));
                assertThat(counters.counter("likes of kept").get()).isEqualTo(5);
                assertThat(counters.sequence("orders of kept").last()).isEqualTo(2);
                assertThat(counters.resolve(IdempotencyToken.of("kept"))).isEqualTo(new Resolution.Committed());
                assertThat(counters.counter("likes of undone").get()).isZero();
                assertThat(counters.sequence("orders of undone").last()).isZero();
                assertThat(counters.resolve(IdempotencyToken.of("undone"))).isEqualTo(new Resolution.NotApplied());
            }
        }
    }

    private static XAConnection connect(PostgresServer server) throws Exception {
        PGXADataSource source = new PGXADataSource();
        source.setUrl(server.url());
        return source.getXAConnection();
    }

    /** Prepares a transaction with an add and an append, and closes its connection. */
    private static Xid prepare(PostgresServer server, JdbcCounterBackend backend, String name) throws Exception {
        Id id = new Id(name);
        XAConnection connected = connect(server);
        XAResource branch = connected.getXAResource();
        try (Connection connection = connected.getConnection()) {
            branch.start(id, XAResource.TMNOFLAGS);
            JdbcTransaction tx = backend.within(connection, IdempotencyToken.of(name));
            tx.add("likes of " + name, 5);
            assertThat(tx.append("orders of " + name, Map.of("customer", "c-17")))
                    .isEqualTo(1);
            branch.end(id, XAResource.TMSUCCESS);
            assertThat(branch.prepare(id)).isEqualTo(XAResource.XA_OK);
            assertThatIllegalStateException()
                    .isThrownBy(() -> tx.add("likes", 1))
                    .withMessageContaining("the connection is in autocommit mode");
        }
        connected.close();
        return id;
    }

    private record Id(String name) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return getGlobalTransactionId();
        }
    }
}
