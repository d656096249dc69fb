package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.DatastoreSequenceOptions;
import io.counterkit.datastore.fixture.Disturbance;
import io.counterkit.datastore.fixture.Threads;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Imports beside other changes of the same name. */
class ImportRacesTest extends ImportSetup {
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
        assertThatThrownBy(sequence::next).hasMessageContaining("tried once");
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
}
