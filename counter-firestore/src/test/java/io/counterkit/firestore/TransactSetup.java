package io.counterkit.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.DocumentReference;
import io.counterkit.Counter;
import io.counterkit.Entry;
import io.counterkit.IdempotencyToken;
import io.counterkit.Resolution;
import io.counterkit.Sequence;
import io.counterkit.firestore.fixture.TestStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A store, a transaction that writes one of each, and checks of what it has done. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class TransactSetup {
    /** A transaction that the store refuses is attempted eleven times, which takes long on a busy machine. */
    final TestStore store = new TestStore(
            FirestoreCounterOptions.builder().deadline(Duration.ofSeconds(90)).build());

    final FirestoreCounterBackend backend = store.backend();
    final String name = TestStore.name();
    final Counter counter = store.counters().counter(name);
    final Sequence sequence = store.counters().sequence(name);
    final DocumentReference document = store.raw().document("orders/" + name);
    final IdempotencyToken token = IdempotencyToken.of(TestStore.name());
    final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        store.close();
    }

    /** Writes one of each, and the numbers of the entries to the document. */
    final void work(FirestoreTransaction transaction) {
        runs.incrementAndGet();
        transaction.add(name, 2);
        transaction.add(name, 3);
        long first = transaction.append(name, Map.of("a", 1L));
        long second = transaction.append(name, Map.of("a", 2L));
        transaction.transaction().set(document, Map.of("first", first, "second", second, "total", 5L));
    }

    final void assertDoneOnce() {
        assertThat(counter.get()).isEqualTo(5);
        assertThat(sequence.read(1, 10).stream().map(Entry::fields)).containsExactly(Map.of("a", 1L), Map.of("a", 2L));
        assertThat(store.data(document)).isEqualTo(Map.of("first", 1L, "second", 2L, "total", 5L));
    }

    final void assertNothingDone() {
        assertThat(counter.get()).isZero();
        assertThat(store.counters().counterNames(name).names()).isEmpty();
        assertThat(sequence.last()).isZero();
        assertThat(store.counters().sequenceNames(name).names()).isEmpty();
        assertThat(store.data(document)).isNull();
        assertThat(store.counters().resolve(token)).isEqualTo(new Resolution.NotApplied());
    }
}
