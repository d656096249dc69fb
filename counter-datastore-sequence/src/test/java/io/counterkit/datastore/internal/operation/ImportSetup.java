package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.internal.client.EntityMapping;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** A name that is imported to a local Datastore, and what acts on it. */
abstract class ImportSetup extends StoreTest {
    static final ImportedState TOTAL = new ImportedState("firestore", true, 100, 0);
    static final ImportedState ABSENT = new ImportedState("firestore", false, 0, 0);

    final MigrationStore migration = backend().migration();
    final String name = "n-" + UUID.randomUUID();
    final DatastoreKeys keys = new DatastoreKeys("CounterKit");
    final EntityMapping mapping = new EntityMapping(new Namespace(""));

    static ImportedState base(long last) {
        return new ImportedState("firestore", last > 0, 5, last);
    }

    static Entry entry(long number) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of("a", number), number, false);
    }

    static List<Entry> entries(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(ImportSetup::entry).toList();
    }

    static ImportedState imported(Kind kind, String name, ImportedState base) {
        return join(backend().migration().importBase(kind, name, base, commit()));
    }

    void importUpTo(long last) {
        assertThat(imported(Kind.SEQUENCE, name, base(last))).isEqualTo(base(last));
    }

    void copy(List<Entry> entries) {
        join(backend().migration().copy(name, entries, commit()));
    }

    Sequence coldProbing() {
        return Counters.over(probingBackend()).sequence(name);
    }

    Sequence cold() {
        return counters().sequence(name);
    }

    int callsOf(Runnable operation) {
        int before = store.delegate().calls();
        operation.run();
        return store.delegate().calls() - before;
    }

    /** Runs an action at the next commit, before it is carried out. */
    void beforeTheNextCommit(Runnable action) {
        AtomicInteger commits = new AtomicInteger();
        store.delegate().disturb(method -> {
            if (method.equals("Commit") && commits.incrementAndGet() == 1) {
                action.run();
            }
            return null;
        });
    }
}
