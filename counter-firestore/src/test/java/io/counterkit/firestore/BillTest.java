package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import io.counterkit.Change;
import io.counterkit.ChangeRefusedException;
import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.CountersListener;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.firestore.fixture.Bill;
import io.counterkit.firestore.fixture.FirestoreFixture;
import io.counterkit.firestore.fixture.TestStore;
import io.counterkit.firestore.internal.advice.ShardTrend;
import io.counterkit.firestore.internal.client.DocumentIds;
import io.counterkit.spi.Call;
import io.counterkit.spi.ChangeTarget;
import io.counterkit.spi.ImportedState;
import io.counterkit.spi.MigrationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the documents that each operation is billed for, as docs/firestore.md states, without expiring tokens. */
@Tag("exhaustive")
class BillTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Bill bill = new Bill();
    private final String project = "demo-" + UUID.randomUUID();
    private final Firestore client = FirestoreFixture.emulator().connect(project, UnaryOperator.identity(), bill);
    private final Firestore unbilled = FirestoreFixture.emulator().connect(project);
    private final FirestoreCounterBackend backend = FirestoreCounterBackend.create(client);
    private final Counters counters = Counters.over(backend);
    private final Counter counter = counters.counter("likes");
    private final Sequence sequence = counters.sequence("invoices");

    @AfterEach
    void close() {
        counters.close();
        client.shutdown();
        unbilled.shutdown();
    }

    /** Returns another process, which has not used this counter or sequence. */
    private Counters cold() {
        return Counters.over(FirestoreCounterBackend.create(client));
    }

    private static IdempotencyToken token() {
        return IdempotencyToken.of(TestStore.name());
    }

    private void costs(int reads, int writes, int deletes, Runnable operation) {
        bill.take();
        operation.run();
        assertThat(bill.take()).isEqualTo(new Bill.Sum(reads, writes, deletes));
    }

    /** Waits for a roll-up, whose commit is billed before it is sent. */
    private void awaitRollup(String name) {
        DocumentReference document = unbilled.collection("counters").document(DocumentIds.of(name));
        await().until(() -> TestStore.await(document.get()).contains("total"));
    }

    @Test
    void adds() {
        costs(1, 12, 0, () -> counter.add(1)); // the token, the counter and its ten shards
        costs(0, 2, 0, () -> counter.add(1));
        costs(0, 2, 0, () -> counter.add(1, token()));
        costs(1, 2, 0, () -> cold().counter("likes").add(1));
    }

    @Test
    void thousandAddsAtOnce_areAFewCommits() {
        counter.add(1);
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        bill.take();
        for (int i = 0; i < 1000; i++) {
            adds.add(counter.async().add(1));
        }
        adds.forEach(CompletableFuture::join);
        Bill.Sum sum = bill.take();
        System.out.println("BillTest: 1,000 adds at once: " + sum);
        assertThat(sum.writes()).as("writes for 1,000 adds").isLessThan(1000);
        assertThat(counter.get()).isEqualTo(1001);
    }

    @Test
    void countersAndShards() {
        costs(1, 12, 0, () -> backend.create("likes", 10).join());
        costs(1, 0, 0, counter::get);
        costs(11, 0, 0, () -> backend.describe("likes").join());
        counter.add(5);
        costs(1, 3, 0, counter::reset); // the token, the shard, and the deleted roll-up
        counter.add(5);
        costs(11, 1, 11, counter::delete);
        costs(1, 1002, 0, () -> backend.create("many", 1000).join());
        costs(1, 0, 0, () -> counters.counter("many").get());
    }

    @Test
    void seals() {
        counter.add(1);
        costs(1, 12, 0, () -> cold().counter("more").add(1)); // as before: being sealable costs an add nothing
        costs(0, 2, 0, () -> counter.add(1));
        costs(11, 3, 10, () -> cold().counter("likes").seal("elsewhere")); // the token, the counter, the seal
        costs(2, 0, 0, counter::get);
        costs(2, 2, 0, () -> assertSealed(counter)); // the refused commit; the counter, and the token
        costs(0, 0, 0, () -> assertSealed(counter));
        costs(1, 0, 0, () -> assertSealed(cold().counter("likes")));
    }

    private static void assertSealed(Counter counter) {
        assertThatExceptionOfType(SealedException.class).isThrownBy(() -> counter.add(1));
    }

    /** A look at the load costs nothing, and so does a quiet hour of a counter that has few shards already. */
    @Test
    void adaptiveShards_costNothingWhileTheyStay() {
        AtomicLong nanos = new AtomicLong();
        FirestoreCounterOptions options =
                FirestoreCounterOptions.builder().adaptiveShards(10, 50).build();
        FirestoreCounterBackend adaptive =
                new FirestoreCounterBackend(client, options, InstantSource.system(), nanos::get);
        Counter idle = Counters.over(adaptive).counter("likes");
        costs(1, 12, 0, () -> idle.add(1));
        costs(0, 0, 0, () -> nanos.addAndGet(ShardTrend.LOWER_NANOS));
        costs(0, 2, 0, () -> idle.add(1)); // looks
        nanos.addAndGet(ShardTrend.RAISE_NANOS);
        costs(0, 2, 0, () -> idle.add(1)); // looks
        costs(0, 2, 0, () -> idle.add(1));
        adaptive.close();
        assertThat(bill.take()).isEqualTo(new Bill.Sum(0, 0, 0));
    }

    @Test
    void resharding() {
        backend.create("likes", 10).join();
        costs(11, 22, 0, () -> backend.reshard("likes", 20).join());
        for (int i = 0; i < 60; i++) {
            counter.add(1);
        }
        long inUse = backend.describe("likes").join().shards().stream()
                .filter(shard -> !Long.valueOf(0).equals(shard.count()))
                .filter(shard -> Integer.parseInt(shard.id()) >= 2)
                .count();
        costs(
                21 + (int) inUse,
                4 + (int) inUse + 2, // both for all shards that are emptied at once: the token, the shard that receives
                0,
                () -> backend.reshard("likes", 2).join());
    }

    @Test
    void readsWithABound() {
        counter.add(5);
        bill.take();
        cold().counter("likes").read(HOUR); // the counter's document and the sum; writes the roll-up
        Bill.Sum[] sum = {new Bill.Sum(0, 0, 0)};
        await().untilAsserted(() -> {
            sum[0] = sum[0].plus(bill.take());
            assertThat(sum[0]).isEqualTo(new Bill.Sum(2, 1, 0));
        });
        awaitRollup("likes");
        Counter other = cold().counter("likes");
        costs(1, 0, 0, () -> other.read(HOUR));
        costs(0, 0, 0, () -> other.read(HOUR));
    }

    @Test
    void largest() {
        for (int i = 0; i < 5; i++) {
            counters.counter("likes/" + i).add(i);
        }
        FirestoreCounterBackend slow = FirestoreCounterBackend.create(
                client, FirestoreCounterOptions.builder().rollupCadence(HOUR).build());
        Bill.Sum[] sum = {new Bill.Sum(0, 0, 0)};
        bill.take();
        // every name and document, the sum of each, and the document of a total of 0 once more; writes the roll-ups
        Counters.over(slow).top("likes/", 2);
        await().untilAsserted(() -> {
            sum[0] = sum[0].plus(bill.take());
            assertThat(sum[0]).isEqualTo(new Bill.Sum(16, 5, 0));
        });
        for (int i = 0; i < 5; i++) {
            awaitRollup("likes/" + i);
        }
        Counters cold = Counters.over(FirestoreCounterBackend.create(
                client, FirestoreCounterOptions.builder().rollupCadence(HOUR).build()));
        costs(11, 0, 0, () -> cold.top("likes/", 2));
        FirestoreCounterBackend fresh = FirestoreCounterBackend.create(
                client,
                FirestoreCounterOptions.builder()
                        .rollupCadence(HOUR)
                        .keepFresh("likes/")
                        .build());
        Counters kept = Counters.over(fresh);
        costs(2, 0, 0, () -> kept.top("likes/", 2));
        costs(10, 0, 0, () -> fresh.rollUp("likes/").join());
        kept.counter("likes/0").add(1);
        costs(2, 1, 0, kept::close);
    }

    @Test
    void appends() {
        costs(31, 3, 0, () -> sequence.append(Map.of())); // finds the tail; the sequence, the token, the entry
        costs(0, 2, 0, () -> sequence.append(Map.of("a", 1L)));
        costs(0, 2, 0, () -> sequence.append(Map.of(), token()));
        costs(1, 3, 0, () -> sequence.append(Change.ADDED, "order", Map.of()));
        costs(
                1 + 4, // the subject; the tail again
                0,
                0,
                () -> assertThatExceptionOfType(ChangeRefusedException.class)
                        .isThrownBy(() -> sequence.append(Change.ADDED, "order", Map.of())));
        costs(1, 2, 0, () -> sequence.erase(1));
        costs(4, 2, 0, () -> sequence.seal("elsewhere"));
    }

    @Test
    void entryReads() {
        List<CompletableFuture<?>> appends = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            appends.add(sequence.async().append(Map.of()));
        }
        appends.forEach(CompletableFuture::join);
        Sequence cold = cold().sequence("invoices");
        bill.take();
        assertThat(cold.last()).isEqualTo(1000);
        Bill.Sum first = bill.take();
        System.out.println("BillTest: end of 1,000 entries from nothing: " + first);
        assertThat(first.reads()).isLessThanOrEqualTo(100);
        costs(4, 0, 0, cold::last);
        costs(100, 0, 0, () -> cold.read(1, 100));
        costs(4 + 100, 0, 0, () -> cold.read(901, 1500));
    }

    @Test
    void tokensAndNames() {
        IdempotencyToken used = token();
        counter.add(1, used);
        costs(0, 1, 0, () -> counters.resolve(token()));
        counters.counter("more").add(1);
        costs(2, 0, 0, () -> counters.counterNames(""));
    }

    @Test
    void imports() {
        MigrationStore migration = backend.migration();
        Call call = new Call(Duration.ofMinutes(1), CountersListener.disabled());
        ImportedState total = new ImportedState("elsewhere", true, 7, 0);
        ImportedState end = new ImportedState("elsewhere", true, 7, 1_000_000);
        costs(
                3,
                12,
                0,
                () -> migration
                        .importBase(ChangeTarget.Kind.COUNTER, "likes", total, call)
                        .join());
        costs(
                2,
                3,
                0,
                () -> migration
                        .importBase(ChangeTarget.Kind.SEQUENCE, "invoices", end, call)
                        .join());
        costs(
                2,
                0,
                0,
                () -> migration
                        .importBase(ChangeTarget.Kind.SEQUENCE, "invoices", end, call)
                        .join());
        ImportedState absent = new ImportedState("elsewhere", false, 0, 0);
        costs(
                2,
                2,
                1,
                () -> migration
                        .importBase(ChangeTarget.Kind.SEQUENCE, "none", absent, call)
                        .join());
        costs(31 + 33, 2, 0, () -> sequence.append(Map.of())); // as after a million entries
        costs(0, 2, 0, () -> sequence.append(Map.of()));
        costs(100, 100, 0, () -> migration.copy("invoices", entries(1), call).join());
        costs(0, 100, 0, () -> migration.copy("invoices", entries(101), call).join());
    }

    private static List<Entry> entries(long from) {
        List<Entry> entries = new ArrayList<>();
        for (long number = from; number < from + 100; number++) {
            entries.add(new Entry(number, Instant.EPOCH, Change.ADDED, null, Map.of(), number, false));
        }
        return entries;
    }

    @Test
    void transactions() {
        counter.add(1);
        sequence.append(Map.of());
        // The token and four numbers beyond the tail; the token, the shard, the entry.
        costs(
                5,
                3,
                0,
                () -> backend.transact(token(), transaction -> {
                            transaction.add("likes", 1);
                            transaction.append("invoices", Map.of());
                        })
                        .join());
    }
}
