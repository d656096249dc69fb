package io.counterkit.firestore.internal.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Seal;
import io.counterkit.Tail;
import io.counterkit.firestore.FirestoreCounterBackend;
import io.counterkit.firestore.FirestoreCounterOptions;
import io.counterkit.firestore.Seeding;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.client.FirestoreSchema;
import io.counterkit.firestore.internal.sequence.EntryDocument;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.spi.NameState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the stored form of an import, and foreign changes to it. */
class ImportFormatTest {
    private static final ImportedState COUNTER = new ImportedState("appengine", true, 1234, 0);
    private static final ImportedState SEQUENCE = new ImportedState("appengine", true, 17, 40);
    private static final ImportedState ABSENT = new ImportedState("appengine", false, 0, 0);
    private static final Instant LONG_AGO = Instant.parse("2009-11-16T08:09:10.123Z");

    private final TestStore store = new TestStore();
    private final FirestoreSchema schema = new FirestoreSchema(store.raw(), store.options(), InstantSource.system());
    private final MigrationStore migration = store.backend().migration();
    private final String name = TestStore.name();

    @AfterEach
    void close() {
        store.close();
    }

    private static Call call() {
        return new Call(Duration.ofMinutes(1), CountersListener.disabled());
    }

    private ImportedState importBase(Kind kind, ImportedState base) {
        return migration.importBase(kind, name, base, call()).join();
    }

    private DocumentReference marker(Kind kind) {
        return schema.hashed().importMarker(kind, name);
    }

    private DocumentReference entry(long number) {
        return schema.entry(name, number);
    }

    private static Entry entry(long number, Map<String, Object> fields) {
        return new Entry(number, LONG_AGO, Change.ADDED, "s" + number, fields, 2 * number, false);
    }

    @Test
    void counter_hasItsTotalInTheFirstShard_andAMarkerWithoutExpiry() {
        assertThat(importBase(Kind.COUNTER, COUNTER)).isEqualTo(COUNTER);
        assertThat(store.data(store.counter(name))).isEqualTo(Map.of("num_shards", 10L));
        assertThat(store.shards(name)).hasSize(10).containsEntry("0", Map.of("count", 1234L));
        assertThat(store.shards(name).values())
                .filteredOn(Map.of("count", 0L)::equals)
                .hasSize(9);
        assertThat(store.data(marker(Kind.COUNTER)))
                .isEqualTo(Map.of(
                        "kind",
                        "COUNTER",
                        "name",
                        name,
                        "origin",
                        "appengine",
                        "present",
                        true,
                        "value",
                        1234L,
                        "last",
                        0L));
        assertThat(marker(Kind.COUNTER).getPath()).startsWith("counter_imports/");
        assertThat(store.counters().counter(name).get()).isEqualTo(1234);
    }

    /** Part of the stored format: another version must find the same marker. */
    @Test
    void markerId_isStable() {
        assertThat(schema.hashed().importMarker(Kind.COUNTER, "a/b").getId())
                .isEqualTo("HHF_vdF5p0Gis5jRgXVLBRENTPw9V0CdFr7uanX9w_A");
        assertThat(schema.hashed().importMarker(Kind.SEQUENCE, "a/b").getId())
                .isEqualTo("vSh3E_wE42qsyaI6uRG8eazAy0sfoD2VrCewUBb5Mzw");
    }

    @Test
    void backendsWithCollectionsOfTheirOwn_shareNoMarkers() {
        FirestoreCounterOptions others =
                FirestoreCounterOptions.builder().counterCollection("other").build();
        assertThat(new FirestoreSchema(store.raw(), others, InstantSource.system())
                        .hashed()
                        .importMarker(Kind.COUNTER, name))
                .isNotEqualTo(marker(Kind.COUNTER));
    }

    /** The first ids of these two are derived from the same text. */
    @Test
    void nameWithASlash_differsFromANameInACollectionBelow() {
        FirestoreCounterOptions below = FirestoreCounterOptions.builder()
                .counterCollection("counters/" + name + "/of")
                .build();
        ImportedState other = new ImportedState("elsewhere", true, 5, 0);
        FirestoreCounterBackend two = FirestoreCounterBackend.create(store.client(), below);
        String withSlash = name + "/of/likes";
        for (int time = 0; time < 2; time++) {
            assertThat(migration
                            .importBase(Kind.COUNTER, withSlash, COUNTER, call())
                            .join())
                    .isEqualTo(COUNTER);
            assertThat(two.migration()
                            .importBase(Kind.COUNTER, "likes", other, call())
                            .join())
                    .isEqualTo(other);
        }
        assertThat(migration
                        .bases(Kind.COUNTER, List.of(name, withSlash), call())
                        .join())
                .containsExactly(Optional.empty(), Optional.of(COUNTER));
        assertThat(two.migration()
                        .bases(Kind.COUNTER, List.of("likes", name), call())
                        .join())
                .containsExactly(Optional.of(other), Optional.empty());
        two.close();
    }

    @Test
    void counterWithLazyShards_hasOne() {
        FirestoreCounterOptions lazy = FirestoreCounterOptions.builder()
                .shards(50)
                .seeding(Seeding.ON_FIRST_USE)
                .build();
        try (TestStore other = store.onTheSameDatabase(lazy)) {
            other.backend()
                    .migration()
                    .importBase(Kind.COUNTER, name, COUNTER, call())
                    .join();
            assertThat(store.shards(name)).isEqualTo(Map.of("0", Map.of("count", 1234L)));
            other.counters().counter(name).add(6);
            assertThat(store.counters().counter(name).get()).isEqualTo(1240);
        }
    }

    @Test
    void absentNames_areMarkersOnly() {
        for (Kind kind : Kind.values()) {
            assertThat(importBase(kind, ABSENT)).isEqualTo(ABSENT);
            assertThat(store.data(marker(kind))).containsEntry("present", false);
        }
        assertThat(store.data(store.counter(name))).isNull();
        assertThat(store.shards(name)).isEmpty();
        assertThat(store.data(schema.sequence(name))).isNull();
        assertThat(store.all("sequences/" + name + "/entries")).isEmpty();
    }

    @Test
    void sequence_isListed_andItsFirstDocumentHoldsTheBase() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        assertThat(store.data(schema.sequence(name))).isEmpty();
        assertThat(store.all("sequences/" + name + "/entries")).hasSize(1);
        assertThat(store.data(entry(1))).isEqualTo(Map.of("base", 40L, "base_live", 17L));
        assertThat(store.counters().sequenceNames(name).names()).containsExactly(name);
        assertThat(store.counters().sequence(name).tail()).isEqualTo(new Tail(40, 17, null));
    }

    @Test
    void entriesNotYetCopied_areOmittedAndCannotBeErased() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        Entry next = store.counters().sequence(name).append(Map.of("a", 1L));
        assertThat(next.number()).isEqualTo(41);
        migration.copy(name, List.of(entry(7, Map.of("b", 2L))), call()).join();
        assertThat(store.another().sequence(name).read(1, 100)).containsExactly(entry(7, Map.of("b", 2L)), next);
        for (long number : new long[] {1, 6}) {
            assertThatThrownBy(() -> store.counters().sequence(name).erase(number))
                    .hasMessageContaining(String.valueOf(number));
        }
        assertThat(store.data(entry(1))).isEqualTo(Map.of("base", 40L, "base_live", 17L));
    }

    @Test
    void copiedEntry_keepsItsTime() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        migration
                .copy(
                        name,
                        List.of(
                                entry(2, Map.of("a.b", "c")),
                                entry(40, Map.of()).withoutFields()),
                        call())
                .join();
        assertThat(store.data(entry(2)))
                .isEqualTo(Map.of(
                        "number",
                        2L,
                        "change",
                        "ADDED",
                        "subject",
                        "s2",
                        "live",
                        4L,
                        "fields",
                        Map.of("a.b", "c"),
                        "appended",
                        Timestamp.ofTimeSecondsAndNanos(LONG_AGO.getEpochSecond(), 123_000_000)));
        assertThat(store.data(entry(40))).containsEntry("erased", true).containsEntry("fields", Map.of());
        assertThat(store.another().sequence(name).read(1, 40))
                .containsExactly(
                        entry(2, Map.of("a.b", "c")), entry(40, Map.of()).withoutFields());
    }

    @Test
    void firstEntry_isCopiedBesideTheBase_once() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        migration.copy(name, List.of(entry(1, Map.of("a", 1L))), call()).join();
        Map<String, Object> copied = store.data(entry(1));
        assertThat(copied)
                .containsEntry("base", 40L)
                .containsEntry("base_live", 17L)
                .containsEntry("number", 1L)
                .containsEntry("live", 2L)
                .containsEntry("fields", Map.of("a", 1L));
        store.counters().sequence(name).erase(1);
        migration.copy(name, List.of(entry(1, Map.of("a", 1L))), call()).join();
        assertThat(store.another().sequence(name).read(1, 1))
                .containsExactly(entry(1, Map.of()).withoutFields());
        assertThat(store.another().sequence(name).tail()).isEqualTo(new Tail(40, 17, null));
    }

    @Test
    void largestEntries_areCopiedInHundreds() {
        importBase(Kind.SEQUENCE, new ImportedState("appengine", true, 100, 100));
        List<Entry> entries = new ArrayList<>();
        for (long number = 1; number <= 100; number++) {
            entries.add(entry(number, Map.of("bytes", new byte[32 * 1024 - 5])));
        }
        migration.copy(name, entries, call()).join();
        assertThat(store.another().sequence(name).read(1, 100)).isEqualTo(entries);
        entries.add(entry(101, Map.of()));
        assertThatThrownBy(() -> migration.copy(name, entries, call()).join()).hasMessageContaining("101");
    }

    @Test
    void numbersBeyondTheBase_areNotCopied() {
        assertThatThrownBy(() -> migration
                        .copy(name, List.of(entry(1, Map.of())), call())
                        .join())
                .hasCauseInstanceOf(NotAppliedException.class);
        importBase(Kind.SEQUENCE, SEQUENCE);
        assertThatThrownBy(() -> migration
                        .copy(name, List.of(entry(41, Map.of())), call())
                        .join())
                .hasCauseInstanceOf(NotAppliedException.class)
                .hasMessageContaining("41");
        assertThat(store.all("sequences/" + name + "/entries")).hasSize(1);
        assertThat(store.counters().sequence(name).next()).isEqualTo(41);
    }

    @Test
    void subject_isADocumentLikeThoseOfAppends() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        migration.importSubject(name, "a/b", true, call()).join();
        migration.importSubject(name, "a/b", false, call()).join();
        assertThat(store.all("sequences/" + name + "/subjects")).isEqualTo(Map.of("a%2Fb", Map.of("live", true)));
    }

    @Test
    void stateOfASealedSequence_hasTheTimeOfTheSeal() {
        store.counters().sequence(name).append(Map.of());
        store.counters().sequence(name).seal("elsewhere");
        DocumentSnapshot seal = TestStore.await(entry(2).get());
        NameState state =
                new NameState(true, new Seal("elsewhere", 1, 1), EntryDocument.entryTime(seal.getCreateTime()));
        String empty = TestStore.name();
        store.counters().sequence(empty).seal("elsewhere");
        for (MigrationStore each : List.of(migration, store.anotherBackend().migration())) {
            List<NameState> states = each.states(Kind.SEQUENCE, List.of(empty, TestStore.name(), name), call())
                    .join();
            assertThat(states.get(0).isPresent()).isFalse();
            assertThat(states.get(0).seal()).isEqualTo(new Seal("elsewhere", 0, 0));
            assertThat(states.get(0).sealedAt()).isNotNull();
            assertThat(states.get(1)).isEqualTo(new NameState(false, null, null));
            assertThat(states.get(2)).isEqualTo(state);
        }
    }

    @Test
    void stateOfManyCounters() {
        store.counters().counter(name).add(0);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            names.add(i == 650 ? name : TestStore.name());
        }
        List<NameState> states = migration.states(Kind.COUNTER, names, call()).join();
        assertThat(states).hasSize(700);
        assertThat(states.indexOf(new NameState(true, null, null))).isEqualTo(650);
    }

    /** Tests a foreign shard without a counter. */
    @Test
    void foreignShard_meansInUse() {
        TestStore.await(store.shard(name, 0).set(Map.of("count", 5L)));
        assertThatThrownBy(() -> importBase(Kind.COUNTER, COUNTER))
                .hasCauseInstanceOf(NotAppliedException.class)
                .hasMessageContaining(name);
        assertThat(store.data(marker(Kind.COUNTER))).isNull();
    }

    /** Tests that fields of an application are not read as a sequence. */
    @Test
    void foreignFieldsOfTheSequence_stay() {
        TestStore.await(schema.sequence(name).set(Map.of("title", "mine")));
        importBase(Kind.SEQUENCE, SEQUENCE);
        assertThat(store.data(schema.sequence(name))).isEqualTo(Map.of("title", "mine"));
        assertThat(store.another().sequence(name).next()).isEqualTo(41);
    }

    @Test
    void foreignMarker_failsTheImport() {
        for (Map<String, Object> foreign : List.<Map<String, Object>>of(
                Map.of(), Map.of("origin", "x", "present", true, "value", 1L, "last", -1L))) {
            TestStore.await(marker(Kind.COUNTER).set(foreign));
            assertThatThrownBy(() -> importBase(Kind.COUNTER, COUNTER))
                    .hasCauseInstanceOf(CorruptDataException.class)
                    .hasMessageContaining(marker(Kind.COUNTER).getPath());
        }
        assertThat(store.data(store.counter(name))).isNull();
    }

    @Test
    void foreignBase_failsAppends() {
        for (Map<String, Object> foreign : List.<Map<String, Object>>of(
                Map.of("base", 5L), Map.of("base", 0L, "base_live", 0L), Map.of("base", "5", "base_live", 5L))) {
            TestStore.await(entry(1).set(foreign));
            assertThatExceptionOfType(CorruptDataException.class)
                    .isThrownBy(() -> store.another().sequence(name).next())
                    .withMessageContaining(entry(1).getPath());
        }
        assertThat(store.all("sequences/" + name + "/entries")).hasSize(1);
    }

    @Test
    void tokenFromBeforeTheImport_isNotRemembered_butOneFromAfterIs() {
        importBase(Kind.SEQUENCE, SEQUENCE);
        IdempotencyToken token = IdempotencyToken.of(TestStore.name());
        Entry appended = store.counters().sequence(name).append(Map.of(), token);
        assertThat(store.another().sequence(name).append(Map.of(), token)).isEqualTo(appended);
        assertThat(appended.number()).isEqualTo(41);
    }
}
