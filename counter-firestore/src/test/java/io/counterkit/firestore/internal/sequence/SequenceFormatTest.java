package io.counterkit.firestore.internal.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.Blob;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.FieldValue;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Entry;
import io.counterkit.Seal;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the stored form of a sequence, and foreign changes to it. */
class SequenceFormatTest {
    private final TestStore store = new TestStore();
    private final String name = TestStore.name();
    private final Sequence sequence = store.counters().sequence(name);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void entryIds_areStableAndScattered() {
        for (int i = 0; i < 64; i++) {
            sequence.append(Map.of());
        }
        Map<String, Map<String, Object>> entries = entries();
        // Part of the stored format: another version must find the same documents.
        assertThat(entries).containsKeys("9e37-1", "3c6e-2", "daa6-3", "8dde-64");
        List<Long> inOrderOfIds = entries.values().stream()
                .map(entry -> (Long) entry.get("number"))
                .toList();
        List<Long> sorted = inOrderOfIds.stream().sorted().toList();
        assertThat(sorted).hasSize(64).startsWith(1L).endsWith(64L);
        long neighbours = 0;
        for (int i = 1; i < inOrderOfIds.size(); i++) {
            neighbours += inOrderOfIds.get(i) - inOrderOfIds.get(i - 1) == 1 ? 1 : 0;
        }
        assertThat(neighbours)
                .as("numbers that follow one another in the store")
                .isZero();
    }

    @Test
    void consecutiveNumbers_areFarApart() {
        FirestoreSchema schema = new FirestoreSchema(store.raw(), store.options(), InstantSource.system());
        for (long number : List.of(1L, 1000L, 123_456_789L, 1L << 40)) {
            long one = Long.parseLong(schema.entry(name, number).getId().substring(0, 4), 16);
            long next = Long.parseLong(schema.entry(name, number + 1).getId().substring(0, 4), 16);
            long apart = Math.floorMod(next - one, 1 << 16);
            assertThat(Math.min(apart, (1 << 16) - apart))
                    .as("between %s and the next", number)
                    .isGreaterThan(1 << 14);
        }
    }

    @Test
    void entry_isADocumentOfFirestoreTypes() {
        Instant instant = Instant.parse("2024-02-29T12:34:56.789Z");
        Map<String, Object> fields = Map.of(
                "text",
                "é",
                "whole",
                Long.MAX_VALUE,
                "real",
                2.0,
                "yes",
                true,
                "at",
                instant,
                "bytes",
                new byte[] {0, -1},
                "a.b",
                "not nested",
                "__x__",
                "reserved");
        Entry entry = sequence.append(Change.ADDED, "order/1", fields);
        assertThat(store.data(document(1)))
                .isEqualTo(Map.of(
                        "number",
                        1L,
                        "change",
                        "ADDED",
                        "live",
                        1L,
                        "subject",
                        "order/1",
                        "fields",
                        Map.of(
                                "text",
                                "é",
                                "whole",
                                Long.MAX_VALUE,
                                "real",
                                2.0,
                                "yes",
                                true,
                                "at",
                                Timestamp.ofTimeSecondsAndNanos(instant.getEpochSecond(), 789_000_000),
                                "bytes",
                                Blob.fromBytes(new byte[] {0, -1}),
                                "a.b",
                                "not nested",
                                "%5F_x__",
                                "reserved")));
        assertThat(store.another().sequence(name).read(1, 1)).containsExactly(entry);
        assertThat(entry.fields()).containsEntry("__x__", "reserved").containsEntry("at", instant);
    }

    @Test
    void firstEntry_createsTheListedDocument() {
        sequence.append(Map.of());
        assertThat(store.data(sequenceDocument())).isEmpty();
        assertThat(store.data(document(1)))
                .isEqualTo(Map.of("number", 1L, "change", "ADDED", "live", 1L, "fields", Map.of()));
        assertThat(store.counters().sequenceNames(name).names()).containsExactly(name);
    }

    @Test
    void appendedAt_isTheTimeOfTheStore() {
        Entry entry = sequence.append(Map.of());
        Timestamp created = TestStore.await(document(1).get()).getCreateTime();
        assertThat(created).isNotNull();
        assertThat(entry.appendedAt()).isEqualTo(EntryDocument.entryTime(created));
        sequence.erase(1);
        assertThat(sequence.read(1, 1).get(0).appendedAt()).isEqualTo(entry.appendedAt());
    }

    @Test
    void subjects_haveADocumentEachWithTheirState() {
        sequence.append(Change.ADDED, "a/b", Map.of());
        sequence.append(Change.ADDED, "c", Map.of());
        sequence.append(Change.UPDATED, "c", Map.of());
        sequence.append(Change.REMOVED, "a/b", Map.of());
        sequence.append(Map.of());
        assertThat(store.all("sequences/" + name + "/subjects"))
                .isEqualTo(Map.of("a%2Fb", Map.of("live", false), "c", Map.of("live", true)));
        assertThat(entries().values())
                .extracting(entry -> List.of(entry.get("number"), entry.get("change"), entry.get("live")))
                .containsExactlyInAnyOrder(
                        List.of(1L, "ADDED", 1L),
                        List.of(2L, "ADDED", 2L),
                        List.of(3L, "UPDATED", 2L),
                        List.of(4L, "REMOVED", 1L),
                        List.of(5L, "ADDED", 2L));
    }

    @Test
    void erase_blanksTheFieldsInPlaceAndNothingElse() {
        sequence.append(Map.of());
        sequence.append(Change.ADDED, "order 1", Map.of("customer", "c-17", "total", 5L));
        DocumentSnapshot before = TestStore.await(document(2).get());
        sequence.erase(2);
        DocumentSnapshot after = TestStore.await(document(2).get());
        Map<String, Object> expected = new HashMap<>(before.getData());
        expected.put("fields", Map.of());
        expected.put("erased", true);
        assertThat(after.getData()).isEqualTo(expected);
        assertThat(after.getCreateTime()).isEqualTo(before.getCreateTime());
        assertThat(entries()).hasSize(2);
        sequence.erase(2);
        assertThat(store.data(document(2))).isEqualTo(expected);
    }

    @Test
    void seal_isTheDocumentAfterTheLastEntry() {
        sequence.append(Change.ADDED, "a", Map.of());
        sequence.append(Change.REMOVED, "a", Map.of());
        assertThat(sequence.seal("elsewhere/x")).isEqualTo(new Seal("elsewhere/x", 2, 0));
        assertThat(store.data(document(3))).isEqualTo(Map.of("forward", "elsewhere/x", "live", 0L));
        assertThat(entries()).hasSize(3);
        assertThatExceptionOfType(SealedException.class)
                .isThrownBy(() -> store.another().sequence(name).append(Map.of()));
        assertThat(entries()).hasSize(3);
    }

    @Test
    void sealOfAnEmptySequence_isListed() {
        sequence.seal("elsewhere");
        assertThat(store.data(document(1))).isEqualTo(Map.of("forward", "elsewhere", "live", 0L));
        assertThat(store.data(sequenceDocument())).isEmpty();
        assertThat(store.counters().sequenceNames(name).names()).containsExactly(name);
    }

    /** Tests a document in the place of an entry that is not an entry. */
    @ParameterizedTest
    @MethodSource("foreignEntries")
    void foreignDocument_failsReadsAndIsNotSkipped(Map<String, Object> foreign) {
        sequence.append(Map.of());
        sequence.append(Map.of());
        TestStore.await(document(2).set(foreign));
        Sequence other = store.another().sequence(name);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> other.read(1, 2))
                .withMessageContaining("'" + document(2).getPath() + "'");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> sequence.read(1, 2))
                .withMessageContaining("'" + document(2).getPath() + "'");
        assertThat(sequence.read(1, 1)).hasSize(1);
    }

    static List<Map<String, Object>> foreignEntries() {
        Map<String, Object> sound = Map.of("number", 2L, "change", "ADDED", "live", 2L, "fields", Map.of());
        List<Map<String, Object>> foreign = new ArrayList<>();
        foreign.add(Map.of());
        foreign.add(Map.of("foreign", "field"));
        sound.keySet().forEach(field -> {
            Map<String, Object> without = new HashMap<>(sound);
            without.remove(field);
            foreign.add(without);
        });
        foreign.add(with(sound, "number", "2"));
        foreign.add(with(sound, "number", 3L));
        foreign.add(with(sound, "live", 2.0));
        foreign.add(with(sound, "change", "EXPLODED"));
        foreign.add(with(sound, "subject", 5L));
        foreign.add(with(sound, "fields", Map.of("nested", Map.of("a", 1L))));
        foreign.add(with(sound, "fields", Map.of("list", List.of(1L))));
        foreign.add(with(sound, "fields", "text"));
        foreign.add(with(sound, "erased", "yes"));
        return foreign;
    }

    @Test
    void foreignDocumentAtTheEnd_isNotAppendedTo() {
        sequence.append(Map.of());
        TestStore.await(document(2).set(Map.of("foreign", "field")));
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> store.another().sequence(name).append(Map.of()))
                .withMessageContaining("'" + document(2).getPath() + "'");
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> store.another().sequence(name).tail());
        assertThat(entries()).hasSize(2);
    }

    @Test
    void entryDeletedByHand_failsReadsAndIsNotSkipped() {
        for (int i = 0; i < 5; i++) {
            sequence.append(Map.of());
        }
        TestStore.await(document(3).delete());
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(() -> store.another().sequence(name).read(1, 5))
                .withMessageContaining("'" + document(3).getPath() + "'");
    }

    @Test
    void foreignFieldsOfTheSequence_stay() {
        TestStore.await(sequenceDocument().set(Map.of("title", "mine")));
        sequence.append(Map.of());
        assertThat(store.data(sequenceDocument())).isEqualTo(Map.of("title", "mine"));
        TestStore.await(document(1).update("note", FieldValue.serverTimestamp()));
        assertThat(sequence.read(1, 1)).hasSize(1);
    }

    private static Map<String, Object> with(Map<String, Object> document, String field, Object value) {
        Map<String, Object> changed = new HashMap<>(document);
        changed.put(field, value);
        return Collections.unmodifiableMap(changed);
    }

    private DocumentReference sequenceDocument() {
        return store.raw().document("sequences/" + name);
    }

    private DocumentReference document(long number) {
        return new FirestoreSchema(store.raw(), store.options(), InstantSource.system()).entry(name, number);
    }

    private Map<String, Map<String, Object>> entries() {
        return store.all("sequences/" + name + "/entries");
    }
}
