package io.counterkit.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.appengine.api.NamespaceManager;
import com.google.appengine.api.datastore.Entity;
import com.google.appengine.api.datastore.Query;
import com.google.appengine.api.datastore.Transaction;
import com.google.apphosting.api.ApiProxy;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Counter;
import io.counterkit.CounterException;
import io.counterkit.CounterOverflowException;
import io.counterkit.Counters;
import io.counterkit.CountersOptions;
import io.counterkit.IdempotencyToken;
import io.counterkit.NotAppliedException;
import io.counterkit.Sequence;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.spi.AppendRequest;
import io.counterkit.spi.Limits;
import io.counterkit.spi.SequenceStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The backend's behaviour beyond the contract. */
class DatastoreSequenceBackendTest extends StoreTest {
    private final Counters counters = counters();

    @Test
    void namespaceIsFixedWhenTheBackendIsCreated() {
        NamespaceManager.set("tenant-a");
        DatastoreSequenceBackend a = backend();
        NamespaceManager.set("");
        Counters ofA = Counters.over(a);
        Counters ofB = Counters.over(DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().namespace("tenant-b").build()));
        assertThat(a.namespace()).isEqualTo("tenant-a");
        ofA.sequence("s").next();
        ofA.sequence("s").next();
        ofB.sequence("s").next();
        ofB.counter("c").add(5);
        NamespaceManager.set("tenant-c");
        assertThat(ofA.sequence("s").last()).isEqualTo(2);
        assertThat(ofB.sequence("s").next()).isEqualTo(2);
        assertThat(NamespaceManager.get()).isEqualTo("tenant-c");
        assertThat(ofA.counter("c").get()).isZero();
        assertThat(ofA.counterNames("").names()).isEmpty();
        assertThat(ofB.counterNames("").names()).containsExactly("c");
        assertThat(counters.sequence("s").last()).isZero();
    }

    @Test
    void kindPrefixSeparatesStores() {
        counters.sequence("s").next();
        Counters others = Counters.over(DatastoreSequenceBackend.create(
                DatastoreSequenceOptions.builder().kindPrefix("Other").build()));
        assertThat(others.sequence("s").last()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatastoreSequenceOptions.builder().kindPrefix("__x"))
                .withMessageContaining("__x");
    }

    @Test
    void cursorOfAnotherListIsAPlaceAmongTheNames() {
        counters.counter("p/a").add(1);
        counters.counter("p/z").add(1);
        for (String before : List.of("/", "..", "__x__", "%", "!".repeat(Limits.MAX_NAME_BYTES), "p/")) {
            assertThat(counters.counterNames("p/", before, 10).names())
                    .as("after '%s'", before)
                    .containsExactly("p/a", "p/z");
        }
        assertThat(counters.counterNames("p/", "p/a/b", 10).names()).containsExactly("p/z");
        for (String behind : List.of("p/z", "p/z/", "~", "~".repeat(Limits.MAX_NAME_BYTES), "\uffff")) {
            assertThat(counters.counterNames("p/", behind, 10).names())
                    .as("after '%s'", behind)
                    .isEmpty();
        }
    }

    @Test
    void cursorThatIsNoNameIsRefused() {
        for (String cursor : List.of("", "\u0000", "\ud800", "x".repeat(Limits.MAX_NAME_BYTES + 1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> counters.counterNames("", cursor, 10))
                    .withMessageContaining("is not from a page of names");
            assertThatIllegalArgumentException().isThrownBy(() -> counters.sequenceNames("", cursor, 10));
        }
    }

    @Test
    void deadlineBeyondTheRetentionIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DatastoreSequenceOptions.builder().retention(Duration.ofMillis(1)))
                .withMessageContaining("retention 1 ms: use 1 h to 3650 days");
        DatastoreSequenceBackend backend = DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .retention(Duration.ofHours(1))
                .build());
        CountersOptions patient =
                CountersOptions.builder().deadline(Duration.ofHours(24)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Counters.over(backend, patient))
                .withMessageContaining("24 h")
                .withMessageContaining("tokens for 1 h");
    }

    @Test
    void threadWithoutAnEnvironmentIsRefused() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread bare = new Thread(() -> {
            try {
                counters.sequence("s").next();
            } catch (CounterException e) {
                failure.set(e);
            }
        });
        bare.start();
        bare.join();
        assertThat(failure.get())
                .isInstanceOf(NotAppliedException.class)
                .hasMessageContaining("no App Engine environment")
                .hasMessageContaining("ThreadManager");
        assertThat(counters.sequence("s").last()).isZero();
        assertThat(ApiProxy.getCurrentEnvironment()).isNotNull();
    }

    @Test
    void transactionOfTheCallerIsNotJoined() {
        Transaction own = datastore.beginTransaction();
        datastore.put(own, new Entity("Mine", "one"));
        counters.sequence("s").next();
        counters.counter("c").increment();
        assertThat(datastore.getCurrentTransaction()).isEqualTo(own);
        own.rollback();
        assertThat(counters.sequence("s").last()).isEqualTo(1);
        assertThat(counters.counter("c").get()).isEqualTo(1);
        assertThat(datastore.getActiveTransactions()).isEmpty();
    }

    @Test
    void serviceOfTheApplicationIsUsed() {
        Counters over = Counters.over(DatastoreSequenceBackend.create(datastore, DatastoreSequenceOptions.defaults()));
        Sequence sequence = over.sequence("s");
        for (long i = 1; i <= 30; i++) {
            assertThat(sequence.append(Map.of("i", i)).number()).isEqualTo(i);
        }
        assertThat(sequence.read(1, 100)).hasSize(30);
    }

    @Test
    void warmAppendIsFourCallsAndAWarmReadOne() {
        Sequence sequence = counters.sequence("s");
        Counter counter = counters.counter("c");
        for (int i = 0; i < 300; i++) {
            sequence.next();
            counter.increment();
        }
        assertThat(callsOf(sequence::next)).isEqualTo(4);
        assertThat(callsOf(() -> sequence.append(Map.of(), IdempotencyToken.random())))
                .isEqualTo(4);
        assertThat(callsOf(counter::increment)).isEqualTo(4);
        assertThat(callsOf(counter::get)).isEqualTo(1);
        assertThat(callsOf(() -> sequence.read(1, 300))).isEqualTo(1);
        assertThat(callsOf(() -> counters().sequence("s").next())).isEqualTo(5);
    }

    /** The local Datastore allows 25 entity groups in a transaction. */
    @Test
    void runsAreAsLongAsATransactionCanBe() {
        assertThat(longestRun(false, false)).isEqualTo(23);
        assertThat(longestRun(true, false)).isEqualTo(12);
        assertThat(longestRun(false, true)).isEqualTo(11);
        assertThat(longestRun(true, true)).isEqualTo(8);
    }

    /** Returns how many requests fit into a batch, after appending that many to a new sequence twice. */
    private static int longestRun(boolean withTokens, boolean withSubjects) {
        SequenceStore sequences = backend().sequences();
        String name = withTokens + "/" + withSubjects;
        int length = 0;
        for (int time = 1; time <= 2; time++) {
            List<AppendRequest> run = new ArrayList<>();
            int left = sequences.limits().maxWeight();
            while (left >= 0) {
                AppendRequest request = new AppendRequest(
                        Change.ADDED,
                        withSubjects ? time + "/" + run.size() : null,
                        Map.of(),
                        withTokens ? IdempotencyToken.random() : null);
                left -= sequences.weight(request);
                if (left >= 0) {
                    run.add(request);
                }
            }
            assertThat(sequences.append(name, run, commit()).join())
                    .allSatisfy(result -> assertThat(result.orThrow().number()).isPositive());
            length = run.size();
            assertThat(counters().sequence(name).last()).isEqualTo((long) time * length);
        }
        return length;
    }

    private int callsOf(Runnable operation) {
        int before = store.delegate().calls();
        operation.run();
        return store.delegate().calls() - before;
    }

    @Test
    void totalOutsideALongIsAnErrorUntilAReset() {
        Counter counter = counters.counter("c");
        counter.add(1);
        Entity newest = newest();
        newest.setUnindexedProperty("value", Long.MAX_VALUE - Limits.MAX_DELTA + 1);
        datastore.put(null, newest);
        counter.add(Limits.MAX_DELTA);
        counter.add(-Limits.MAX_DELTA);
        for (int i = 0; i < 3; i++) {
            counter.add(-Limits.MAX_DELTA);
            assertThatExceptionOfType(CounterOverflowException.class)
                    .isThrownBy(counter::get)
                    .withMessageContaining("reset");
        }
        counter.reset();
        counter.add(3);
        assertThat(counter.get()).isEqualTo(3);
    }

    @Test
    void smallestLongIsOutOfRange() {
        Counter counter = counters.counter("c");
        counter.add(1);
        Entity newest = newest();
        newest.setUnindexedProperty("value", Long.MIN_VALUE + Limits.MAX_DELTA);
        datastore.put(null, newest);
        counter.add(-Limits.MAX_DELTA);
        assertThatExceptionOfType(CounterOverflowException.class).isThrownBy(counter::get);
    }

    @Test
    void corruptDataIsReportedAndNotReadAsZero() {
        Counter counter = counters.counter("c");
        counter.add(5);
        Entity newest = newest();
        newest.setProperty("value", "five");
        datastore.put(null, newest);
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(counter::get)
                .withMessageContaining("counter 'c'")
                .withMessageContaining("'value'")
                .withMessageContaining("five");
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(counter::increment);
        Counter good = counters.counter("good");
        good.add(1);
        assertThat(counters.readAll(List.of("c", "good"), Duration.ZERO).failures())
                .containsOnlyKeys("c");
    }

    private Entity newest() {
        return datastore
                .prepare(null, new Query("CounterKitEntry").addSort(Entity.KEY_RESERVED_PROPERTY))
                .asIterable()
                .iterator()
                .next();
    }

    @Test
    void sealedCounterIsListedOnlyIfItIsPresent_aSealedSequenceAlways() {
        counters.counter("absent").seal("elsewhere");
        counters.counter("deleted").add(5);
        counters.counter("deleted").delete();
        counters.counter("deleted").seal("elsewhere");
        counters.counter("present").add(5);
        counters.counter("present").seal("elsewhere");
        counters.counter("reset").add(5);
        counters.counter("reset").reset();
        counters.counter("reset").seal("elsewhere");
        counters.sequence("empty").seal("elsewhere");
        counters.sequence("used").next();
        counters.sequence("used").seal("elsewhere");
        assertThat(counters.counterNames("").names()).containsExactly("present", "reset");
        assertThat(counters.sequenceNames("").names()).containsExactly("empty", "used");
    }

    @Test
    void tokensArePurgedAfterTheRetentionAndNotBefore() {
        AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
        DatastoreSequenceBackend backend = DatastoreSequenceBackend.create(DatastoreSequenceOptions.builder()
                .clock(now::get)
                .retention(Duration.ofHours(1))
                .build());
        Counter counter = Counters.over(backend).counter("c");
        IdempotencyToken token = IdempotencyToken.random();
        counter.add(5, token);
        counter.add(1);
        now.set(now.get().plus(Duration.ofHours(1)));
        assertThat(backend.purgeTokens(500)).isZero();
        counter.add(5, token);
        assertThat(counter.get()).isEqualTo(6);
        now.set(now.get().plusMillis(1));
        assertThat(backend.purgeTokens(1)).as("seen").isEqualTo(1);
        assertThat(backend.purgeTokens(500)).as("seen").isEqualTo(1);
        now.set(now.get().plus(Duration.ofHours(1)));
        assertThat(backend.purgeTokens(500)).isZero();
        counter.add(5, token);
        assertThat(counter.get()).isEqualTo(6);
        now.set(now.get().plusMillis(1));
        assertThat(backend.purgeTokens(1)).isEqualTo(1);
        assertThat(backend.purgeTokens(500)).isEqualTo(1);
        counter.add(5, token);
        assertThat(counter.get()).isEqualTo(11);
    }
}
