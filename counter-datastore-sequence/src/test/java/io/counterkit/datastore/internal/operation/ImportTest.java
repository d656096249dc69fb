package io.counterkit.datastore.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Key;
import io.counterkit.CorruptDataException;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.TransactionResult;
import io.counterkit.datastore.adopt.Adoption;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.NameState;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Datastore as the target of a migration. */
class ImportTest extends ImportSetup {
    /** Uses numbers at and next to those that a probe reads, and above all of them. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 23, 1000, 1 << 20, (1 << 20) + 1, 1L << 40})
    void tailAfterAnImport_isFoundWhateverIsCopiedAndAppended(long last) {
        importUpTo(last);
        if (last > 0) {
            copy(LongStream.of(1, 2, 4, last / 2, last)
                    .filter(number -> number > 0 && number <= last)
                    .distinct()
                    .mapToObj(ImportSetup::entry)
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
