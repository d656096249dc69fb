package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.appengine.api.datastore.Entity;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Outcome;
import io.counterkit.Seal;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.internal.client.EntityMapping;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The Datastore as the source of a migration. */
class MigrationSourceTest extends StoreTest {
    private static final Instant SEALED = Instant.parse("2026-02-28T12:00:00.123Z");
    private static final NameState ABSENT = new NameState(false, null, null);
    private static final NameState PRESENT = new NameState(true, null, null);

    private final Counters counters = Counters.over(sealing());
    private final MigrationStore migration = backend().migration();
    private final String name = "n-" + UUID.randomUUID();

    private static DatastoreSequenceBackend sealing() {
        return DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .clock(Clock.fixed(SEALED.plusNanos(456_789), ZoneOffset.UTC))
                .build());
    }

    private NameState state(Kind kind) {
        return migration.states(kind, List.of(name), commit()).join().get(0);
    }

    @Test
    void seal_isReportedWithItsTime() {
        counters.counter(name).add(5);
        counters.sequence(name).next();
        counters.counter(name).seal("elsewhere");
        counters.sequence(name).seal("elsewhere");
        assertThat(state(Kind.COUNTER)).isEqualTo(new NameState(true, new Seal("elsewhere", 5, 5), SEALED));
        assertThat(state(Kind.SEQUENCE)).isEqualTo(new NameState(true, new Seal("elsewhere", 1, 1), SEALED));
    }

    @Test
    void counterThatWasDeleted_isAbsent_sealedOrNot() {
        counters.counter(name).add(5);
        assertThat(state(Kind.COUNTER)).isEqualTo(PRESENT);
        counters.counter(name).reset();
        assertThat(state(Kind.COUNTER)).isEqualTo(PRESENT);
        counters.counter(name).delete();
        assertThat(state(Kind.COUNTER)).isEqualTo(ABSENT);
        counters.counter(name).seal("elsewhere");
        assertThat(state(Kind.COUNTER)).isEqualTo(new NameState(false, new Seal("elsewhere", 0, 0), SEALED));
    }

    @Test
    void statesOfManyNames() {
        List<String> names = new ArrayList<>();
        List<NameState> expected = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            String each = name + i;
            names.add(each);
            expected.add(i % 3 == 0 ? ABSENT : i % 3 == 1 ? PRESENT : new NameState(true, new Seal("x", 1, 1), SEALED));
            if (i % 3 > 0) {
                counters.sequence(each).next();
            }
            if (i % 3 == 2) {
                counters.sequence(each).seal("x");
            }
        }
        assertThat(migration.states(Kind.SEQUENCE, names, commit()).join()).isEqualTo(expected);
        assertThat(backend().migration().states(Kind.SEQUENCE, names, commit()).join())
                .isEqualTo(expected);
        assertThat(migration.states(Kind.SEQUENCE, List.of(), commit()).join()).isEmpty();
    }

    @Test
    void subject_isReportedAfterTheSeal() {
        counters.sequence(name).append(Change.ADDED, "a", Map.of());
        counters.sequence(name).append(Change.ADDED, "b", Map.of());
        counters.sequence(name).append(Change.REMOVED, "b", Map.of());
        counters.sequence(name).seal("elsewhere");
        assertThat(migration.subject(name, "a", commit()).join()).contains(true);
        assertThat(migration.subject(name, "b", commit()).join()).contains(false);
        assertThat(migration.subject(name, "c", commit()).join()).isEmpty();
    }

    /** A read with a fault at any call returns the right state or fails; it never reports a name as absent. */
    @Test
    void failedRead_isAnErrorAndNeverAbsent() {
        counters.sequence(name).append(Change.ADDED, "a", Map.of());
        counters.sequence(name).seal("elsewhere");
        NameState right = new NameState(true, new Seal("elsewhere", 1, 1), SEALED);
        int hits = 0;
        for (Disturbance disturbance : Disturbance.all()) {
            AtomicInteger left = new AtomicInteger();
            for (int call = 1; left.get() <= 0; call++) {
                left.set(call);
                store.delegate().disturb(method -> left.decrementAndGet() == 0 ? disturbance : null);
                MigrationStore cold = backend().migration();
                try {
                    assertThat(join(cold.states(Kind.SEQUENCE, List.of(name), commit())))
                            .containsExactly(right);
                    assertThat(join(cold.subject(name, "a", commit()))).contains(true);
                } catch (CounterException e) {
                    assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED);
                }
                store.delegate().release();
                hits++;
            }
        }
        assertThat(hits).as("reads that were disturbed").isGreaterThan(20);
    }

    @Test
    void corruptTimeOfASeal_isAnError() {
        counters.sequence(name).seal("elsewhere");
        DatastoreSequenceOptions options = DatastoreSequenceOptions.defaults();
        DatastoreKeys keys = new DatastoreKeys(options.kindPrefix());
        EntityMapping mapping = new EntityMapping(Namespace.of(options));
        Entity seal = datastore
                .get(null, List.of(mapping.key(keys.entry(ChainName.sequence(name), 1))))
                .values()
                .iterator()
                .next();
        seal.setUnindexedProperty("at", "yesterday");
        datastore.put(null, seal);
        assertThatThrownBy(() -> state(Kind.SEQUENCE))
                .hasCauseInstanceOf(CorruptDataException.class)
                .hasMessageContaining("yesterday");
    }
}
