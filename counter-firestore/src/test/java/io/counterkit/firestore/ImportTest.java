package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Change;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.Tail;
import io.counterkit.firestore.fixture.CallFault;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget.Kind;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import io.counterkit.tck.StoreFault;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the tail of an imported sequence, its cost, and concurrent imports. */
@Timeout(120)
class ImportTest {
    private static final String READ = "BatchGetDocuments";
    private static final String COMMIT = "Commit";

    private final TestStore store = new TestStore();
    private final MigrationStore migration = store.backend().migration();
    private final String name = TestStore.name();

    @AfterEach
    void close() {
        store.close();
    }

    private static Call call() {
        return new Call(Duration.ofMinutes(1), CountersListener.disabled());
    }

    private static ImportedState base(long last) {
        return new ImportedState("appengine", last > 0, 5, last);
    }

    private ImportedState importSequence(MigrationStore into, ImportedState base) {
        return into.importBase(Kind.SEQUENCE, name, base, call()).join();
    }

    private static Entry entry(long number) {
        return new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of("a", number), number, false);
    }

    private List<String> callsOf(Runnable operation) {
        int before = store.faults().calls().size();
        operation.run();
        List<String> calls = store.faults().calls();
        return calls.subList(before, calls.size());
    }

    /** Returns sizes at, beside and above the numbers that a search reads. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 23, 1000, 1_000_000, (1L << 30) - 1, 1L << 30, 1L << 40})
    @Tag("exhaustive")
    void tailAboveABase_isFound_whateverIsCopiedAndAppended(long last) {
        importSequence(migration, base(last));
        if (last > 0) {
            List<Entry> some = LongStream.of(1, 2, 4, last / 2, last)
                    .filter(number -> number > 0 && number <= last)
                    .distinct()
                    .mapToObj(ImportTest::entry)
                    .toList();
            migration.copy(name, some, call()).join();
        }
        long live = last == 0 ? 0 : 5;
        assertThat(cold().tail()).isEqualTo(last == 0 ? Tail.EMPTY : new Tail(last, 5, null));
        for (int more : new int[] {1, 1, 1, 5, 40}) {
            long end = cold().last();
            for (int i = 1; i < more; i++) {
                CompletableFuture<?> unused =
                        store.counters().sequence(name).async().append(Map.of());
            }
            assertThat(store.counters().sequence(name).next()).isEqualTo(end + more);
            assertThat(cold().tail()).isEqualTo(new Tail(end + more, live + end + more - last, null));
        }
        assertThat(cold().next()).isEqualTo(last + 49);
        assertThat(cold().seal("elsewhere").last()).isEqualTo(last + 49);
        assertThat(cold().tail().seal()).isNotNull();
    }

    private Sequence cold() {
        return store.another().sequence(name);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 23, 1000, 1_000_000})
    void appendsAboveABase_costWhatTheyCostElsewhere(long last) {
        importSequence(migration, base(last));
        Sequence here = store.counters().sequence(name);
        assertThat(callsOf(here::next))
                .as("the first of a process")
                .isIn(List.of(READ, COMMIT), List.of(READ, READ, COMMIT));
        assertThat(callsOf(here::next)).containsExactly(COMMIT);
        assertThat(callsOf(here::tail)).containsExactly(READ);
        assertThat(callsOf(() -> here.read(last + 1, last + 2))).containsExactly(READ);
    }

    @Test
    void processThatReadTheNameAsEmpty_findsTheImport() {
        Sequence looked = cold();
        assertThat(looked.tail()).isEqualTo(Tail.EMPTY);
        Sequence wrote = cold();
        assertThat(wrote.last()).isZero();
        importSequence(migration, base(1_000_000));
        assertThat(looked.tail()).isEqualTo(new Tail(1_000_000, 5, null));
        assertThat(wrote.next()).isEqualTo(1_000_001);
        assertThat(looked.seal("elsewhere").last()).isEqualTo(1_000_001);
    }

    @Test
    void imports_areOneReadAndOneCommit_andAfterwardsOneRead() {
        ImportedState total = new ImportedState("appengine", true, 7, 0);
        assertThat(callsOf(() -> importSequence(migration, base(9)))).containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> importSequence(migration, base(9)))).containsExactly(READ);
        assertThat(callsOf(() ->
                        migration.importBase(Kind.COUNTER, name, total, call()).join()))
                .containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> migration
                        .bases(Kind.COUNTER, List.of(name, "none"), call())
                        .join()))
                .containsExactly(READ);
        assertThat(callsOf(
                        () -> migration.importSubject(name, "s", true, call()).join()))
                .containsExactly(COMMIT);
        assertThat(callsOf(() -> migration.subject(name, "s", call()).join())).containsExactly(READ);
        assertThat(callsOf(() -> migration.copy(name, List.of(entry(3)), call()).join()))
                .containsExactly(READ, COMMIT);
        assertThat(callsOf(() -> migration.copy(name, List.of(entry(4)), call()).join()))
                .containsExactly(COMMIT);
        assertThat(callsOf(() -> migration.copy(name, List.of(entry(1)), call()).join()))
                .containsExactly(READ, COMMIT);
    }

    @Test
    void concurrentImports_allReturnTheSameBase() {
        List<MigrationStore> processes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            processes.add(store.anotherBackend().migration());
        }
        for (Kind kind : Kind.values()) {
            List<CompletableFuture<ImportedState>> imports = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                ImportedState mine = new ImportedState("origin " + i, true, 10 + i, kind == Kind.COUNTER ? 0 : 20 + i);
                imports.add(processes.get(i).importBase(kind, name, mine, call()));
            }
            List<ImportedState> bases =
                    imports.stream().map(CompletableFuture::join).distinct().toList();
            assertThat(bases).hasSize(1);
            Counters there = store.another();
            if (kind == Kind.COUNTER) {
                assertThat(there.counter(name).get()).isEqualTo(bases.get(0).value());
            } else {
                assertThat(there.sequence(name).next()).isEqualTo(bases.get(0).last() + 1);
            }
        }
    }

    /** Tests both orders: the adds count on top of the base, or the import finds the name in use. */
    @Test
    void concurrentAddsAndAppends_areAboveTheBaseOrPreventTheImport() {
        for (int round = 0; round < 10; round++) {
            String each = TestStore.name();
            Counters other = store.another();
            CompletableFuture<?> add = other.counter(each).async().add(1);
            CompletableFuture<?> append = other.sequence(each).async().append(Map.of());
            boolean isCounter = isImported(Kind.COUNTER, each, new ImportedState("appengine", true, 100, 0));
            boolean isSequence = isImported(Kind.SEQUENCE, each, base(100));
            add.join();
            append.join();
            assertThat(store.another().counter(each).get()).isEqualTo(isCounter ? 101 : 1);
            assertThat(store.another().sequence(each).last()).isEqualTo(isSequence ? 101 : 1);
        }
    }

    private boolean isImported(Kind kind, String each, ImportedState base) {
        return migration
                .importBase(kind, each, base, call())
                .handle((imported, failure) -> {
                    if (failure != null) {
                        assertThat(failure).hasRootCauseInstanceOf(NotAppliedException.class);
                    }
                    return failure == null;
                })
                .join();
    }

    @Test
    void concurrentCopies_leaveOneOfEach() {
        importSequence(migration, base(60));
        List<CompletableFuture<Void>> copies = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<Entry> some = LongStream.rangeClosed(1 + 5 * i, 30 + 5 * i)
                    .mapToObj(ImportTest::entry)
                    .toList();
            copies.add(store.anotherBackend().migration().copy(name, some, call()));
        }
        copies.forEach(CompletableFuture::join);
        assertThat(cold().read(1, 60))
                .isEqualTo(LongStream.rangeClosed(1, 55)
                        .mapToObj(ImportTest::entry)
                        .toList());
    }

    /** Holds a copy while another process copies the entries and erases them. */
    @Test
    void lateCopy_doesNotRestoreErasedEntries() {
        importSequence(migration, base(60));
        List<Entry> entries = List.of(entry(1), entry(7));
        CompletableFuture<Void> late;
        try (CallFault held = store.faults().inject(StoreFault.HOLD, 3)) {
            late = store.anotherBackend().migration().copy(name, entries, call());
            await().until(held::isHit);
            migration.copy(name, entries, call()).join();
            store.another().sequence(name).erase(1);
            store.another().sequence(name).erase(7);
        }
        late.join();
        assertThat(cold().read(1, 60)).containsExactly(entry(1).withoutFields(), entry(7).withoutFields());
    }

    /** Holds an import while the name is used. */
    @Test
    void lateImport_doesNotChangeANameInUse() {
        ImportedState total = new ImportedState("appengine", true, 100, 0);
        for (Kind kind : Kind.values()) {
            CompletableFuture<ImportedState> late;
            try (CallFault held = store.faults().inject(StoreFault.HOLD, 2)) {
                late = store.anotherBackend()
                        .migration()
                        .importBase(kind, name, kind == Kind.COUNTER ? total : base(100), call());
                await().until(held::isHit);
                if (kind == Kind.COUNTER) {
                    store.counters().counter(name).add(1);
                } else {
                    store.counters().sequence(name).next();
                }
            }
            assertThat(late.handle((imported, failure) -> failure).join())
                    .hasRootCauseInstanceOf(NotAppliedException.class);
        }
        assertThat(store.another().counter(name).get()).isOne();
        assertThat(cold().tail()).isEqualTo(new Tail(1, 1, null));
    }

    /** Holds the first append of a process while the name is imported. */
    @Test
    void lateFirstAppend_getsTheNumberAfterTheBase() {
        CompletableFuture<Entry> late;
        CompletableFuture<Void> add;
        try (CallFault append = store.faults().inject(StoreFault.HOLD, 2)) {
            late = cold().async().append(Map.of());
            await().until(append::isHit);
            importSequence(migration, base(100));
        }
        assertThat(late.join().number()).isEqualTo(101); // the next fault must not hit its further calls
        try (CallFault first = store.faults().inject(StoreFault.HOLD, 2)) {
            add = store.another().counter(name).async().add(1);
            await().until(first::isHit);
            migration
                    .importBase(Kind.COUNTER, name, new ImportedState("appengine", true, 100, 0), call())
                    .join();
        }
        add.join();
        assertThat(store.another().sequence(name).tail()).isEqualTo(new Tail(101, 6, null));
        assertThat(store.another().counter(name).get()).isEqualTo(101);
    }

    /** Tests every status of a lost reply, also those that the client retries by itself. */
    @ParameterizedTest
    @ValueSource(strings = {"UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL", "ABORTED"})
    @Tag("exhaustive")
    void lostReplyOrRequest_isHarmlessAtEachCall(Status.Code shown) {
        for (StoreFault fault : List.of(StoreFault.FAIL_BEFORE, StoreFault.LOSE_REPLY)) {
            for (int at = 1; at <= 2; at++) {
                String each = TestStore.name();
                MigrationStore into = store.anotherBackend().migration();
                ImportedState total = new ImportedState("appengine", true, 7, 0);
                try (CallFault hit = store.faults().inject(fault, at, shown)) {
                    assertThat(into.importBase(Kind.COUNTER, each, total, call())
                                    .join())
                            .isEqualTo(total);
                    assertThat(hit.isHit()).isTrue();
                }
                try (CallFault hit = store.faults().inject(fault, at, shown)) {
                    assertThat(into.importBase(Kind.SEQUENCE, each, base(50), call())
                                    .join())
                            .isEqualTo(base(50));
                    assertThat(hit.isHit()).isTrue();
                }
                try (CallFault hit = store.faults().inject(fault, at, shown)) {
                    into.copy(each, List.of(entry(1), entry(7)), call()).join();
                    assertThat(hit.isHit() || at > 2).isTrue();
                }
                try (CallFault hit = store.faults().inject(fault, 1, shown)) {
                    into.importSubject(each, "s", false, call()).join();
                    assertThat(hit.isHit()).isTrue();
                }
                assertThat(store.another().counter(each).get()).isEqualTo(7);
                assertThat(store.another().sequence(each).tail()).isEqualTo(new Tail(50, 5, null));
                assertThat(store.another().sequence(each).read(1, 50)).containsExactly(entry(1), entry(7));
                assertThat(into.subject(each, "s", call()).join()).isEqualTo(Optional.of(false));
            }
        }
    }
}
