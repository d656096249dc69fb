package io.counterkit.datastore.internal.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CountersListener;
import io.counterkit.datastore.internal.schema.ChainName;
import io.counterkit.spi.Call;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The precedence of rare changes in one process. */
class PriorityGateTest {
    private final PriorityGate gate = new PriorityGate();
    private final ChainName chain = ChainName.counter("c");

    private static Call within(Duration time) {
        return new Call(time, CountersListener.disabled());
    }

    @Test
    void otherChangesWaitForTheRareChange() throws Exception {
        CountDownLatch passed = new CountDownLatch(1);
        Thread add = new Thread(() -> {
            gate.await(chain, within(Duration.ofMinutes(5)));
            passed.countDown();
        });
        long before = gate.runFirst(chain, within(Duration.ofMinutes(5)), () -> {
            add.start();
            Awaitility.await().until(() -> add.getState() == Thread.State.TIMED_WAITING);
            return passed.getCount();
        });
        assertThat(before).isOne();
        passed.await();
        gate.await(chain, within(Duration.ofDays(1))); // returns at once
    }

    @Test
    void otherChainsDoNotWait() {
        gate.runFirst(chain, within(Duration.ofDays(1)), () -> {
            gate.await(ChainName.sequence("c"), within(Duration.ofDays(1)));
            gate.await(ChainName.counter("d"), within(Duration.ofDays(1)));
            return true;
        });
    }

    @Test
    void otherChangesWaitABoundedTimeForOneThatHangs() {
        CompletableFuture<Boolean> never = new CompletableFuture<>();
        CountDownLatch hangs = new CountDownLatch(1);
        Thread seal = new Thread(() -> gate.runFirst(chain, within(Duration.ofDays(1)), () -> {
            hangs.countDown();
            return never.join();
        }));
        seal.start();
        Awaitility.await().until(() -> hangs.getCount() == 0);
        gate.await(chain, within(Duration.ofMillis(40)));
        boolean second = gate.runFirst(chain, within(Duration.ofMillis(40)), () -> true);
        assertThat(second).isTrue();
        assertThat(seal.isAlive()).isTrue();
        never.complete(true);
    }
}
