package io.counterkit.tck.chapter.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.counterkit.Counter;
import io.counterkit.Counters;
import io.counterkit.Follower;
import io.counterkit.Sequence;
import io.counterkit.tck.FaultInjector.InjectedFault;
import io.counterkit.tck.Rule;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.Chapter;
import io.counterkit.tck.internal.fault.ConcurrentTasks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Chapter 15, continued: followers that keep their position in a counter. */
public abstract class CheckpointChapter extends Chapter {
    private static final int ROUNDS = 5;

    /** More calls than a follower makes to read some entries and to store its checkpoint. */
    private static final int CALLS = 8;

    @Test
    @Rule(value = "15.4", lookAt = "an add with a token whose reply is lost, and the strong read after it")
    final void spec1504_checkpointIsNeverBeyondTheLastEntry() {
        Sequence sequence = sequence();
        Counter checkpoint = counter();
        Counters following = connect();
        long last = 0;
        for (StoreFault fault : FAILURES) {
            for (int call = 1; call <= CALLS; call++) {
                sequence.next(); // only one entry, so that no later checkpoint corrects a wrong one
                last++;
                String when = fault + " at call " + call;
                long before = elsewhere(checkpoint).get();
                Received received = new Received();
                InjectedFault injected = inject(fault, call);
                Follower follower = received.follow(following, sequence, checkpoint);
                received.await(last);
                follower.close();
                injected.close();
                assertThat(received.numbers())
                        .as("%s: the numbers delivered after the checkpoint %s", when, before)
                        .isEqualTo(Received.numbers(before + 1, last));
                assertThat(elsewhere(checkpoint).get())
                        .as("%s: the checkpoint", when)
                        .isBetween(before, last);
            }
        }
        followOnce(following, sequence, checkpoint);
        assertThat(elsewhere(checkpoint).get())
                .as("the checkpoint after a close without a fault")
                .isEqualTo(last);
    }

    private static void followOnce(Counters following, Sequence sequence, Counter checkpoint) {
        long last = sequence.last();
        Received received = new Received();
        try (Follower follower = received.follow(following, sequence, checkpoint)) {
            awaitPosition(follower, last);
        }
    }

    private static void awaitPosition(Follower follower, long position) {
        await("a follower at position " + position)
                .atMost(ConcurrentTasks.PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> follower.position() >= position);
    }

    @Test
    @Rule(
            value = "15.5",
            lookAt = "concurrent adds with one token and different deltas: only one of them may be applied")
    final void spec1505_followersShareACheckpoint() {
        Sequence sequence = sequence();
        Received.append(sequence, 1);
        Counter checkpoint = counter(1);
        Counters first = connect();
        Counters second = connect();
        for (long last = 1; last <= ROUNDS * 3; last += 3) {
            followTogether(first, second, sequence, checkpoint, last);
            assertThat(checkpoint.get())
                    .as("the checkpoint after the close of both followers")
                    .isEqualTo(last + 3);
        }
    }

    /** Lets two followers start after entry {@code before}, and receive the same three entries. */
    private static void followTogether(
            Counters first, Counters second, Sequence sequence, Counter checkpoint, long before) {
        Received some = new Received();
        Received others = new Received();
        try (Follower here = some.follow(first, sequence, checkpoint);
                Follower there = others.follow(second, sequence, checkpoint)) {
            awaitPosition(here, before);
            awaitPosition(there, before);
            Received.append(sequence, 3);
            awaitPosition(here, before + 3);
            awaitPosition(there, before + 3);
        }
        some.checkEach(before + 1, before + 3);
        others.checkEach(before + 1, before + 3);
    }
}
