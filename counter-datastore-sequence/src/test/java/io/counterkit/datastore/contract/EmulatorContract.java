package io.counterkit.datastore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Transaction;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.datastore.fixture.EmulatorStore;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.tck.Prerequisite;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The contract over HTTP on an emulator, and tests with several processes. */
@Tag("emulator")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmulatorContract extends CounterBackendContract {
    private static final System.Logger LOG = System.getLogger(EmulatorContract.class.getName());

    private Emulator emulator;

    /** An emulator that listens at an address until it is closed. */
    record Emulator(String hostAndPort, Runnable close) {}

    abstract Emulator start() throws Exception;

    @BeforeAll
    final void startEmulator() {
        emulator = Prerequisite.required(this::start);
    }

    @AfterAll
    final void stopEmulator() {
        if (emulator != null) {
            emulator.close().run();
        }
    }

    @Override
    protected final BackendFixture createFixture() {
        return EmulatorStore.at(emulator.hostAndPort());
    }

    /**
     * Fails if classes of two versions of the API are mixed. Commits are then found by reading them again, so that all
     * other tests here succeed, slowly.
     */
    @Test
    void replyToACommitCanBeRead() {
        try (BackendFixture fixture = createFixture()) {
            assertThat(fixture.lag()).isPositive();
            DatastoreService datastore = DatastoreServiceFactory.getDatastoreService();
            Transaction transaction = datastore.beginTransaction();
            datastore.put(transaction, new Entity("Record", UUID.randomUUID().toString()));
            transaction.commit();
            assertThat(transaction.isActive()).isFalse();
        }
    }

    /** The threads of one process are combined, so each process is one writer that competes with the others. */
    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void fourProcessesOnOneSequenceGetOneToN() throws Exception {
        String name = UUID.randomUUID().toString();
        List<AppendingProcess.Report> reports = AppendingProcess.runAtOnce(4, emulator.hostAndPort(), name);
        int appends = 4 * AppendingProcess.APPENDS;
        List<Long> oneToN = LongStream.rangeClosed(1, appends).boxed().toList();
        assertThat(reports)
                .flatExtracting(AppendingProcess.Report::numbers)
                .containsExactlyInAnyOrderElementsOf(oneToN);
        try (BackendFixture fixture = createFixture();
                Counters counters = Counters.over(fixture.connect())) {
            Sequence sequence = counters.sequence(name);
            assertThat(sequence.tail()).isEqualTo(new Tail(appends, appends, null));
            List<Entry> entries = sequence.read(1, appends);
            assertThat(entries).extracting(Entry::number).containsExactlyElementsOf(oneToN);
            assertThat(entries).extracting(Entry::liveCount).containsExactlyElementsOf(oneToN);
            assertThat(entries.stream().map(entry -> entry.fields().get("work")).distinct())
                    .hasSize(appends);
        }
        long retries =
                reports.stream().mapToLong(AppendingProcess.Report::retries).sum();
        LOG.log(
                System.Logger.Level.INFO,
                "4 processes, {0} appends: {1} retries an append",
                appends,
                (double) retries / appends);
    }
}
