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

/** Who stands back for whom in one process. */
class PriorityGateTest {
    private final PriorityGate precedence = new PriorityGate();
    private final ChainName chain = ChainName.counter("c");

    private static Call within(Duration time) {
        return new Call(time, CountersListener.disabled());
    }

    @Test
    void othersStandBackUntilTheRareChangeIsDone() throws Exception {
        CountDownLatch passed = new CountDownLatch(1);
        Thread add = new Thread(() -> {
            precedence.standBack(chain, within(Duration.ofMinutes(5)));
            passed.countDown();
        });
        long before = precedence.first(chain, within(Duration.ofMinutes(5)), () -> {
            add.start();
            Awaitility.await().until(() -> add.getState() == Thread.State.TIMED_WAITING);
            return passed.getCount();
        });
        assertThat(before).isOne();
        passed.await();
        precedence.standBack(chain, within(Duration.ofDays(1))); // nobody is ahead any more
    }

    @Test
    void otherChainsDoNotWait() {
        precedence.first(chain, within(Duration.ofDays(1)), () -> {
            precedence.standBack(ChainName.sequence("c"), within(Duration.ofDays(1)));
            precedence.standBack(ChainName.counter("d"), within(Duration.ofDays(1)));
            return true;
        });
    }

    @Test
    void aRareChangeThatHangsStopsNobodyForLong() {
        CompletableFuture<Boolean> never = new CompletableFuture<>();
        CountDownLatch hangs = new CountDownLatch(1);
        Thread seal = new Thread(() -> precedence.first(chain, within(Duration.ofDays(1)), () -> {
            hangs.countDown();
            return never.join();
        }));
        seal.start();
        Awaitility.await().until(() -> hangs.getCount() == 0);
        precedence.standBack(chain, within(Duration.ofMillis(40)));
        boolean second = precedence.first(chain, within(Duration.ofMillis(40)), () -> true);
        assertThat(second).isTrue();
        assertThat(seal.isAlive()).isTrue();
        never.complete(true);
    }
}
