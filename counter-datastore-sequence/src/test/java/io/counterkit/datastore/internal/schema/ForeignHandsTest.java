package io.counterkit.datastore.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.appengine.api.datastore.Key;
import io.counterkit.Change;
import io.counterkit.CorruptDataException;
import io.counterkit.Counters;
import io.counterkit.SealedException;
import io.counterkit.Sequence;
import io.counterkit.datastore.DatastoreSequenceBackend;
import io.counterkit.datastore.fixture.StoreTest;
import io.counterkit.datastore.fixture.Threads;
import io.counterkit.datastore.internal.client.EntityMapping;
import io.counterkit.datastore.internal.client.Namespace;
import io.counterkit.spi.AppendRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Entries deleted by other software, and seals among many writers. */
class ForeignHandsTest extends StoreTest {
    private final Counters counters = counters();
    private final DatastoreKeys keys = new DatastoreKeys("CounterKit");
    private final EntityMapping mapping = new EntityMapping(new Namespace(""));

    private void delete(String sequence, long number) {
        Key key = mapping.key(keys.entry(ChainName.sequence(sequence), number));
        datastore.delete(key);
    }

    private static void assertRefusesToAppend(Sequence sequence) {
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(sequence::next)
                .withMessageContaining("must not be deleted");
    }

    @Test
    void deletedTailIsNoticedAndNoNumberIsGivenOut() {
        Sequence sequence = counters.sequence("s");
        for (int i = 0; i < 5; i++) {
            sequence.next();
        }
        delete("s", 5);
        assertRefusesToAppend(sequence);
        assertThatExceptionOfType(CorruptDataException.class).isThrownBy(sequence::last);
        assertThat(counters().sequence("s").read(1, 10)).hasSize(4);
    }

    @Test
    void deletedEndOfARunIsNoticedByEveryProcess() {
        Sequence sequence = counters.sequence("s");
        sequence.next();
        appendRun(backend(), "s", 10);
        assertThat(sequence.last()).isEqualTo(11);
        delete("s", 11);
        assertRefusesToAppend(counters().sequence("s"));
        assertThatExceptionOfType(CorruptDataException.class)
                .isThrownBy(counters().sequence("s")::last);
    }

    /** In one transaction. */
    private static void appendRun(DatastoreSequenceBackend backend, String sequence, int length) {
        List<AppendRequest> requests =
                Collections.nCopies(length, new AppendRequest(Change.ADDED, null, Map.of(), null));
        backend.sequences().append(sequence, requests, commit()).join();
    }

    @Test
    void gapBeforeTheTailIsNoticed() {
        Sequence sequence = counters.sequence("s");
        DatastoreSequenceBackend behind = backend();
        appendRun(behind, "s", 5);
        for (int i = 0; i < 2; i++) {
            sequence.next();
        }
        delete("s", 6);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() -> appendRun(behind, "s", 5))
                .withCauseInstanceOf(CorruptDataException.class)
                .withMessageContaining("entry 6");
    }

    @Test
    void sealRefusesManyWritersFromItsNumberOn() throws Exception {
        for (int round = 0; round < 6; round++) {
            String name = "s" + round;
            AtomicLong appended = new AtomicLong();
            AtomicLong refused = new AtomicLong();
            long[] sealedAt = new long[1];
            Counters[] processes = {counters(), counters(), counters()};
            Threads.runAll(store, 7, thread -> {
                Sequence sequence = processes[thread % 3].sequence(name);
                if (thread == 6) {
                    sealedAt[0] = sequence.seal("elsewhere").last();
                    return;
                }
                try {
                    while (true) { // until the chain is sealed
                        sequence.next();
                        appended.incrementAndGet();
                    }
                } catch (SealedException e) {
                    refused.incrementAndGet();
                }
            });
            assertThat(refused).hasValue(6);
            assertThat(appended).hasValue(sealedAt[0]);
            assertThat(counters.sequence(name).last()).isEqualTo(sealedAt[0]);
            assertThat(mapping.key(keys.entry(ChainName.sequence(name), sealedAt[0] + 2)))
                    .satisfies(behind ->
                            assertThat(datastore.get(null, List.of(behind))).isEmpty());
        }
    }
}
