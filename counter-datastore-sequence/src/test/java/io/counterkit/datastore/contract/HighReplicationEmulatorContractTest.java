package io.counterkit.datastore.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.appengine.api.datastore.DatastoreNeedIndexException;
import com.google.appengine.api.datastore.DatastoreService;
import com.google.appengine.api.datastore.DatastoreServiceFactory;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.FetchOptions;
import com.google.appengine.api.datastore.Query;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.fixture.DatastoreEmulator;
import io.counterkit.datastore.internal.client.DatastoreClient;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.spi.Call;
import io.counterkit.tck.BackendFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract over HTTP on the Datastore emulator in legacy high-replication mode: entity groups, optimistic
 * transactions, queries that lag at random, and none that needs an index which is not defined. There is no index
 * definition: every query here makes do with the indexes that the Datastore keeps by itself.
 */
class HighReplicationEmulatorContractTest extends EmulatorContract {
    private final String name = UUID.randomUUID().toString();

    @Override
    Emulator start() throws Exception {
        DatastoreEmulator emulator =
                DatastoreEmulator.start("--store_on_disk=false", "--consistency=0.5", "--require_indexes");
        return new Emulator(emulator.hostAndPort(), emulator::close);
    }

    @Test
    void noQueryNeedsAnIndexThatIsNotBuiltIn() {
        try (BackendFixture fixture = createFixture()) {
            DatastoreService datastore = DatastoreServiceFactory.getDatastoreService();
            for (long number = 1; number <= 3; number++) {
                Entity record = new Entity("Record", name + number);
                record.setProperty("kind", name);
                record.setProperty("number", number);
                datastore.put(null, record);
                assertThat(datastore.get(null, List.of(record.getKey()))).hasSize(1); // now the query sees it too
            }
            DatastoreSequenceBackend backend = (DatastoreSequenceBackend) fixture.connect();
            Counters counters = Counters.over(backend);
            counters.sequence(name).append(Map.of(), IdempotencyToken.random());
            counters.counter(name).add(1);
            assertThat(counters.sequenceNames(name)).isNotNull();
            assertThat(counters.counterNames("")).isNotNull();
            assertThat(counters.counterNames(name, name, 1)).isNotNull();
            assertThat(backend.adopt(name + "/adopted", Adoption.of("Record", "number"))
                            .faults())
                    .isEmpty();
            assertThat(backend.purgeTokens(500)).isNotNegative();

            // The one for the newest number is a hint, so that its failure would not be seen in what the backend does.
            DatastoreKeys keys = new DatastoreKeys("CounterKit");
            Call call = new Call(Duration.ofSeconds(20), CountersListener.disabled());
            DatastoreClient store = DatastoreClient.withDeadlines(new Namespace(""));
            assertThat(store.query(keys.newestFirst(ChainName.sequence(name)), 1, call))
                    .hasSizeLessThanOrEqualTo(1);

            Query demanding = new Query("Record")
                    .setFilter(new Query.FilterPredicate("kind", Query.FilterOperator.EQUAL, name))
                    .addSort("number", Query.SortDirection.DESCENDING);
            assertThatExceptionOfType(DatastoreNeedIndexException.class)
                    .as("the emulator refuses what needs an index")
                    .isThrownBy(() -> datastore
                            .prepare(null, demanding)
                            .asList(FetchOptions.Builder.withLimit(1))
                            .size()); // the list is read lazily
        }
    }
}
