package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.Entry;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.spi.Capability;
import io.counterkit.tck.Rule;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Chapter 15: followers of sequences. */
public abstract class FollowChapter extends Chapter {
    private static final int WRITERS = 3;
    private static final int APPENDS = 15;
    private static final int OUTAGES = 3;

    /** The number of reads while the sequence is idle, more than any other test makes. */
    private static final int IDLE_POLLS = 25;

    @Test
    @Rule(
            value = "15.1",
            lookAt = "whether every number up to the last one can be read immediately, also while others append;"
                    + " whether a read returns entries of an earlier read")
    final void spec1501_followerReceivesEveryEntryOnceAndInOrder() throws Exception {
        Sequence sequence = sequence();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sequence.follow(0, entry -> {}))
                .withMessageContaining("number 0");
        Received all = new Received();
        Received later = new Received();
        all.follow(connect(), sequence, 1);
        Received.append(sequence, 2);
        all.await(2);
        Received.append(sequence, 1);
        all.await(3);
        tasks().runAtOnce(WRITERS, writer -> {
            Sequence mine = writer % 2 == 0 ? sequence : elsewhere(sequence);
            for (int i = 0; i < APPENDS; i++) {
                mine.append(Map.of("writer", (long) writer));
                if (writer == 0 && i == APPENDS / 2) {
                    later.follow(connect(), sequence, APPENDS);
                }
            }
        });
        long last = 3 + WRITERS * APPENDS;
        all.await(last);
        later.await(last);
        all.checkEach(1, last);
        later.checkEach(APPENDS, last);
        assertThat(all.entries).as("the delivered entries").isEqualTo(sequence.read(1, last));
    }

    @Test
    @Rule(value = "15.2", lookAt = "a tail that is remembered while nothing changes")
    final void spec1502_idleFollowerStaysLive() {
        Sequence sequence = sequence();
        Received received = new Received();
        Counters following = connect();
        received.follow(following, sequence, 1);
        for (int poll = 0; poll < IDLE_POLLS; poll++) {
            assertLast(following.sequence(sequence.name()), 0);
        }
        sequence.next();
        assertThat(following.sequence(sequence.name()).last())
                .as("the last number that the process of the follower reads")
                .isEqualTo(1);
        received.await(1);
        elsewhere(sequence).next();
        received.await(2);
        received.checkEach(1, 2);
    }

    @Test
    @Rule(value = "15.3", lookAt = "the API layer: what it does if a consumer throws")
    final void spec1503_entryWhoseConsumerThrowsIsDeliveredAgain() {
        Sequence sequence = sequence();
        Received.append(sequence, 4);
        Counters following = connect();
        Received failing = new Received();
        Received other = new Received();
        RuntimeException thrown = new IllegalStateException("thrown by the kit on purpose");
        AtomicInteger attempts = new AtomicInteger();
        following.sequence(sequence.name()).follow(1, failing.options(), entry -> {
            failing.accept(entry);
            if (entry.number() == 2 && attempts.incrementAndGet() < 3) {
                throw thrown;
            }
        });
        other.follow(following, sequence, 1);
        other.await(4);
        failing.await(4);
        other.checkEach(1, 4);
        assertThat(failing.numbers()).as("the delivered numbers").containsExactly(1L, 2L, 2L, 2L, 3L, 4L);
        assertThat(failing.failures).as("the reported failures").containsExactly(thrown, thrown);
    }

    @Test
    @Rule(value = "15.6", lookAt = "whether a read of a range contains an erased entry")
    final void spec1506_erasedEntryIsDeliveredInItsPlace() {
        Sequence sequence = sequence();
        Received.append(sequence, 4);
        elsewhere(sequence).erase(1);
        sequence.erase(3);
        Received received = new Received();
        received.follow(connect(), sequence, 1);
        received.await(4);
        received.checkEach(1, 4);
        assertThat(received.entries).extracting(Entry::erased).containsExactly(true, false, true, false);
        assertThat(received.entries.get(2).fields())
                .as("the fields of the entry")
                .isEmpty();
        assertThat(received.entries.get(3).fields())
                .as("the fields of the entry")
                .isEqualTo(Map.of("i", 4L));
    }

    @Test
    @Rule(value = "15.7", lookAt = "the API layer: close of a follower and of a process")
    final void spec1507_closedFollowerDeliversNothing() {
        Sequence sequence = sequence();
        sequence.next();
        Counters following = connect();
        Received closed = new Received();
        Received ofClosedProcess = new Received();
        Received open = new Received();
        Follower follower = closed.follow(following, sequence, 1);
        ofClosedProcess.follow(following, sequence, 1);
        open.follow(connect(), sequence, 1);
        closed.await(1);
        follower.close();
        follower.close();
        sequence.next();
        ofClosedProcess.await(2);
        following.close();
        sequence.next();
        open.await(3);
        sequence.next();
        open.await(4);
        assertThat(closed.numbers())
                .as("the numbers delivered by the closed follower")
                .containsExactly(1L);
        assertThat(ofClosedProcess.numbers())
                .as("the numbers delivered by the follower of the closed process")
                .containsExactly(1L, 2L);
    }

    @Test
    @Rule(value = "15.8", lookAt = "what a read of the tail or of entries returns while the store does not answer")
    final void spec1508_followerReportsAnOutageAndContinues() {
        Sequence sequence = sequence();
        Received.append(sequence, 2);
        Received received = new Received();
        received.follow(
                connect(options().deadline(ConcurrentTasks.SHORT_DEADLINE).build()), sequence, 1);
        received.await(2);
        for (int i = 0; i < OUTAGES && received.failures.isEmpty(); i++) {
            outage(() -> !received.failures.isEmpty());
        }
        assertThat(received.failures)
                .as("the failures that the follower reported during outages")
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(CounterException.class));
        Received.append(sequence, 2);
        received.await(4);
        assertThat(received.numbers()).as("the delivered numbers").isEqualTo(Received.numbers(1, 4));
    }

    @Test
    @Rule(value = "15.9", lookAt = "whether the tail or a read of entries includes the seal")
    final void spec1509_followerPassesASeal() throws Exception {
        Sequence sequence = sequence();
        Received.append(sequence, 3);
        Received received = new Received();
        Follower follower = received.follow(connect(), sequence, 1);
        if (!declares(Capability.SEAL_SEQUENCES)) {
            received.await(3);
            return;
        }
        tasks().runAtOnce(WRITERS, writer -> {
            for (int i = 0; i < APPENDS; i++) {
                if (!Received.isAppended(writer == 0 ? sequence : elsewhere(sequence))) {
                    return;
                }
                if (writer == 0 && i == APPENDS / 2) {
                    sequence.seal("elsewhere");
                }
            }
        });
        long last = elsewhere(sequence).last();
        assertThat(sequence.seal("elsewhere").last())
                .as("the last number of the seal")
                .isEqualTo(last);
        received.await(last);
        follower.close();
        received.checkEach(1, last);
        Received later = new Received();
        later.follow(connect(), sequence, 2);
        later.await(last);
        later.checkEach(2, last);
    }
}
