package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.Disturbance;
import io.counterkit.datastore.StoreTest;
import io.counterkit.datastore.Threads;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.internal.client.EntityMapping;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.datastore.internal.schema.DatastoreKeys;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Datastore as the target of a migration. */
class ImportTest extends StoreTest {
    private static final ImportedState TOTAL = new ImportedState("firestore", true, 100, 0);
    private static final ImportedState ABSENT = new ImportedState("firestore", false, 0, 0);

    private final MigrationStore migration = backend().migration();
    private final String name = "n-" + UUID.randomUUID();
    private final DatastoreKeys keys = new DatastoreKeys("CounterKit");
    private final EntityMapping mapping = new EntityMapping(new Namespace(""));

    private static ImportedState base(long last) {
        return new ImportedState("firestore", last > 0, 5, last);
    }

    private static Entry entry(long number) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of("a", number), number, false);
    }

    private static List<Entry> entries(long from, long to) {
        return LongStream.rangeClosed(from, to).mapToObj(ImportTest::entry).toList();
    }

    private static ImportedState imported(Kind kind, String name, ImportedState base) {
        return join(backend().migration().importBase(kind, name, base, commit()));
    }

    private void importUpTo(long last) {
        assertThat(imported(Kind.SEQUENCE, name, base(last))).isEqualTo(base(last));
    }

    private void copy(List<Entry> entries) {
        join(backend().migration().copy(name, entries, commit()));
    }

    private Sequence coldProbing() {
        return Counters.over(probingBackend()).sequence(name);
    }

    private Sequence cold() {
        return counters().sequence(name);
    }

    private int callsOf(Runnable operation) {
        int before = store.delegate().calls();
        operation.run();
        return store.delegate().calls() - before;
    }

    /** Runs an action at the next commit, before it is carried out. */
    private void beforeTheNextCommit(Runnable action) {
        AtomicInteger commits = new AtomicInteger();
        store.delegate().disturb(method -> {
            if (method.equals("Commit") && commits.incrementAndGet() == 1) {
                action.run();
            }
            return null;
        });
    }

    /** Uses numbers at and next to those that a probe reads, and above all of them. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 23, 1000, 1 << 20, (1 << 20) + 1, 1L << 40})
    void tailAfterAnImport_isFoundWhateverIsCopiedAndAppended(long last) {
        importUpTo(last);
        if (last > 0) {
            copy(LongStream.of(1, 2, 4, last / 2, last)
                    .filter(number -> number > 0 && number <= last)
                    .distinct()
                    .mapToObj(ImportTest::entry)
                    .toList());
        }
        long live = last == 0 ? 0 : 5;
        for (Sequence sequence : List.of(cold(), coldProbing())) {
            assertThat(sequence.tail()).isEqualTo(last == 0 ? Tail.EMPTY : new Tail(last, 5, null));
        }
        long end = last;
        for (int more : new int[] {1, 1, 1, 5, 40}) {
            for (int i = 0; i < more; i++) {
                assertThat((i % 2 == 0 ? coldProbing() : cold()).next()).isEqualTo(++end);
            }
            for (Sequence sequence : List.of(cold(), coldProbing())) {
                assertThat(sequence.tail()).isEqualTo(new Tail(end, live + end - last, null));
            }
        }
        assertThat(cold().seal("elsewhere").last()).isEqualTo(end);
        assertThat(coldProbing().tail().seal()).isEqualTo(new Seal("elsewhere", end, live + end - last));
        assertThat(cold().read(Math.max(1, last - 500), last + 400))
                .hasSize(48
                        + (int) LongStream.of(1, 2, 4, last / 2, last)
                                .filter(number -> number >= Math.max(1, last - 500) && number <= last)
                                .distinct()
                                .count());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 23, 1000, 1_000_000})
    void importedName_costsAsMuchAsOthers(long last) {
        importUpTo(last);
        Sequence sequence = cold();
        assertThat(callsOf(sequence::next)).as("the first of a process").isEqualTo(5);
        assertThat(callsOf(sequence::next)).isEqualTo(4);
        assertThat(callsOf(sequence::tail)).isEqualTo(1);
        assertThat(callsOf(() -> sequence.read(1, 500))).isEqualTo(1);
        assertThat(callsOf(() -> coldProbing().tail())).isLessThanOrEqualTo(5);
    }

    @Test
    void importsCostLittle() {
        assertThat(callsOf(() -> importUpTo(200))).isEqualTo(5);
        assertThat(callsOf(() -> imported(Kind.COUNTER, name, TOTAL))).isEqualTo(5);
        assertThat(callsOf(() -> join(migration.bases(Kind.COUNTER, List.of(name, "none"), commit()))))
                .isEqualTo(1);
        assertThat(callsOf(() -> join(migration.importSubject(name, "s", true, commit()))))
                .isEqualTo(4);
        assertThat(callsOf(() -> copy(entries(1, 100))))
                .as("1 read, and 4 for each 25")
                .isEqualTo(17);
        assertThat(callsOf(() -> copy(entries(1, 100)))).isEqualTo(1);
        assertThat(callsOf(() -> copy(entries(100, 101)))).isEqualTo(5);
        assertThat(callsOf(() -> copy(List.of()))).isEqualTo(1);
    }

    @Test
    void processThatHasSeenTheNameEmpty_findsTheImport() {
        Sequence looked = cold();
        Sequence probed = coldProbing();
        assertThat(looked.tail()).isEqualTo(Tail.EMPTY);
        assertThat(probed.tail()).isEqualTo(Tail.EMPTY);
        importUpTo(1_000_000);
        assertThat(looked.tail()).isEqualTo(new Tail(1_000_000, 5, null));
        assertThat(probed.next()).isEqualTo(1_000_001);
        assertThat(looked.seal("elsewhere").last()).isEqualTo(1_000_001);
    }

    /** The name is imported just before the commit of its first change. */
    @Test
    void lateFirstChange_continuesFromTheImportedState() {
        beforeTheNextCommit(() -> importUpTo(40));
        assertThat(cold().next()).isEqualTo(41);
        beforeTheNextCommit(() -> imported(Kind.COUNTER, name, TOTAL));
        counters().counter(name).add(1);
        assertThat(counters().counter(name).get()).isEqualTo(101);
        assertThat(cold().tail()).isEqualTo(new Tail(41, 6, null));
        assertThat(cold().read(1, 100)).hasSize(1);
    }

    /** The name is used for the first time just before the commit of its import, even of one that stores no entry. */
    @Test
    void lateImport_findsTheNameInUse() {
        for (ImportedState late : List.of(TOTAL, ABSENT, base(40))) {
            Kind kind = late.equals(TOTAL) ? Kind.COUNTER : Kind.SEQUENCE;
            for (Kind each : late.isPresent() ? List.of(kind) : List.of(Kind.values())) {
                String used = name + late + each;
                beforeTheNextCommit(() -> {
                    if (each == Kind.COUNTER) {
                        counters().counter(used).add(0);
                    } else {
                        counters().sequence(used).next();
                    }
                });
                assertThatExceptionOfType(NotAppliedException.class)
                        .isThrownBy(() -> imported(each, used, late))
                        .withMessageContaining("in use");
                assertThat(migration.bases(each, List.of(used), commit()).join().get(0))
                        .isEmpty();
                assertThat(counters().counter(used).get()).isZero();
                assertThat(counters().sequence(used).last()).isEqualTo(each == Kind.SEQUENCE ? 1 : 0);
            }
        }
    }

    @Test
    void concurrentAppendsAndImports_continueFromTheStateOrPreventTheImport() throws Exception {
        for (int round = 0; round < 8; round++) {
            String each = name + round;
            List<ImportedState> bases = new ArrayList<>();
            Threads.runAll(store, 4, thread -> {
                Counters own = counters();
                if (thread == 0) {
                    try {
                        ImportedState base = imported(Kind.SEQUENCE, each, base(40));
                        bases.add(base);
                    } catch (NotAppliedException e) {
                        assertThat(e).hasMessageContaining("in use");
                    }
                }
                own.sequence(each).next();
            });
            long last = bases.isEmpty() ? 0 : 40;
            assertThat(counters().sequence(each).tail()).isEqualTo(new Tail(last + 4, last / 8 + 4, null));
            assertThat(counters().sequence(each).read(1, 100))
                    .extracting(Entry::number)
                    .containsExactly(last + 1, last + 2, last + 3, last + 4);
        }
    }

    /** Returns a backend that has seen only number 1 of the import, since its next call failed. */
    private DatastoreSequenceBackend backendThatHasSeenOnlyNumberOne() {
        DatastoreSequenceBackend hasty = DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().maxAttempts(1).build());
        AtomicInteger gets = new AtomicInteger();
        store.delegate().disturb(method -> {
            int get = method.equals("Get") ? gets.incrementAndGet() : 0;
            if (get == 1) { // in the transaction, after the query found nothing
                importUpTo(40);
                gets.set(100);
            }
            return get == 101 ? Disturbance.failBefore(Disturbance.StoreError.TIMEOUT) : null;
        });
        assertThatThrownBy(() -> Counters.over(hasty).sequence(name).next()).isInstanceOf(NotAppliedException.class);
        store.delegate().release();
        return hasty;
    }

    @Test
    void placeBeforeTheEnd_isNotTakenForTheTail() {
        assertThat(Counters.over(backendThatHasSeenOnlyNumberOne())
                        .sequence(name)
                        .tail())
                .isEqualTo(new Tail(40, 5, null));
    }

    @Test
    void placeBeforeTheEnd_isNotTakenForThePredecessor() {
        Sequence sequence = Counters.over(backendThatHasSeenOnlyNumberOne()).sequence(name);
        assertThatThrownBy(sequence::next).hasMessageContaining("tried 1 times");
        assertThat(sequence.next()).isEqualTo(41);
    }

    @Test
    void placeBeforeTheEnd_isNotTakenForThePredecessorInATransaction() {
        DatastoreSequenceBackend hasty = backendThatHasSeenOnlyNumberOne();
        IdempotencyToken token = IdempotencyToken.random();
        try {
            hasty.transact(token, tx -> tx.append(name, Map.of()));
        } catch (NotAppliedException e) {
            assertThat(e).hasMessageContaining("has grown");
        }
        assertThat(hasty.transact(token, tx -> tx.append(name, Map.of())).numbers())
                .containsExactly(41L);
        assertThat(cold().tail()).isEqualTo(new Tail(41, 6, null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transaction_continuesFromTheImportedState(boolean isProbing) {
        importUpTo(40);
        imported(Kind.COUNTER, name, TOTAL);
        TransactionResult result = (isProbing ? probingBackend() : backend())
                .transact(IdempotencyToken.random(), tx -> {
                    tx.append(name, Map.of());
                    tx.add(name, 7);
                });
        assertThat(result.numbers()).containsExactly(41L);
        assertThat(counters().counter(name).get()).isEqualTo(107);
    }

    @Test
    void deletedCounter_isAbsentAndCanBeImported() {
        counters().counter(name).add(3);
        counters().counter(name).delete();
        assertThat(imported(Kind.COUNTER, name, TOTAL)).isEqualTo(TOTAL);
        counters().counter(name).add(1);
        assertThat(counters().counter(name).get()).isEqualTo(101);
        assertThat(counters().counterNames(name).names()).containsExactly(name);
        counters().counter(name).delete();
        assertThat(imported(Kind.COUNTER, name, TOTAL)).isEqualTo(TOTAL);
        assertThat(counters().counter(name).get()).isZero();
    }

    @Test
    void sealedName_isInUse_andAnImportedOneCanBeSealed() {
        counters().sequence(name).seal("elsewhere");
        counters().counter(name).seal("elsewhere");
        for (Kind kind : Kind.values()) {
            assertThatThrownBy(() -> imported(kind, name, kind == Kind.COUNTER ? TOTAL : base(3)))
                    .isInstanceOf(NotAppliedException.class);
        }
        String moved = name + "/moved";
        imported(Kind.SEQUENCE, moved, base(40));
        imported(Kind.COUNTER, moved, TOTAL);
        assertThat(counters().sequence(moved).seal("elsewhere")).isEqualTo(new Seal("elsewhere", 40, 5));
        assertThat(counters().counter(moved).seal("elsewhere")).isEqualTo(new Seal("elsewhere", 100, 100));
        for (Kind kind : Kind.values()) {
            assertThat(migration.states(kind, List.of(moved), commit()).join().get(0))
                    .extracting(NameState::isPresent)
                    .isEqualTo(true);
        }
    }

    @Test
    void recordsAreNotAdoptedIntoAnImportedSequence() {
        for (long id = 1; id <= 60; id++) {
            Entity record = new Entity("Record", "r" + id);
            record.setProperty("id", id);
            datastore.put(null, record);
        }
        importUpTo(40);
        copy(entries(1, 30));
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend().adopt(name, Adoption.of("Record", "id")))
                .withMessageContaining("adopt into a sequence of another name");
        assertThat(cold().next()).isEqualTo(41);
        assertThatExceptionOfType(NotAppliedException.class)
                .isThrownBy(() -> backend().adopt(name, Adoption.of("Record", "id")));
        assertThat(cold().tail()).isEqualTo(new Tail(41, 6, null));
    }

    /** Another process copies and erases the same entries just before the commit of a copy. */
    @Test
    void lateCopy_restoresNoErasedFields() {
        importUpTo(60);
        List<Entry> some = List.of(entry(1), entry(7), entry(60));
        beforeTheNextCommit(() -> {
            copy(some);
            some.forEach(entry -> cold().erase(entry.number()));
        });
        copy(some);
        assertThat(cold().read(1, 60))
                .isEqualTo(some.stream().map(Entry::withoutFields).toList());
        assertThat(cold().tail()).isEqualTo(new Tail(60, 5, null));
    }

    @Test
    void concurrentCopies_storeEachEntryOnce() throws Exception {
        importUpTo(60);
        Threads.runAll(store, 4, thread -> copy(entries(1 + 5 * thread, 30 + 5 * thread)));
        assertThat(cold().read(1, 60)).isEqualTo(entries(1, 45));
        assertThat(count("CounterKitEntry")).isEqualTo(46);
    }

    @Test
    void hundredOfTheLargestEntries_areOneCopy() {
        importUpTo(200);
        List<Entry> large = new ArrayList<>();
        for (long number = 1; number <= 100; number++) {
            large.add(new Entry(
                    number,
                    Instant.EPOCH,
                    Change.UPDATED,
                    "s",
                    Map.of("bytes", new byte[32 * 1024 - 5]),
                    number,
                    false));
        }
        copy(large);
        assertThat(cold().read(1, 100)).isEqualTo(large);
        assertThatThrownBy(() -> copy(entries(1, 101)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("101");
    }

    @Test
    void numbersBeyondTheBase_areNotCopied() {
        assertThatThrownBy(() -> copy(entries(1, 1)))
                .isInstanceOf(NotAppliedException.class)
                .hasMessageContaining("not imported");
        importUpTo(40);
        assertThatThrownBy(() -> copy(entries(1, 41)))
                .isInstanceOf(NotAppliedException.class)
                .hasMessageContaining("41");
        assertThat(cold().read(1, 40)).isEmpty();
        assertThat(cold().next()).isEqualTo(41);
    }

    @Test
    void foreignMarker_isAnErrorAndImportsNothing() {
        for (String spoilt : List.of("origin", "present", "value", "last")) {
            String each = name + spoilt;
            imported(Kind.SEQUENCE, each, base(3));
            Key key = mapping.key(keys.imported(ChainName.sequence(each)));
            Entity marker = datastore.get(null, List.of(key)).get(key);
            marker.setUnindexedProperty(spoilt, spoilt.equals("last") ? -1L : "");
            datastore.put(null, marker);
            assertThatThrownBy(() -> imported(Kind.SEQUENCE, each, base(3)))
                    .hasCauseInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(spoilt);
            assertThatThrownBy(() -> join(migration.bases(Kind.SEQUENCE, List.of(each), commit())))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(spoilt);
        }
    }
}
