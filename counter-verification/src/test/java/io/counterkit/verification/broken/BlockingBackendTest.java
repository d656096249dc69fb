package io.counterkit.verification.broken;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.Reading;
import io.counterkit.spi.Call;
import io.counterkit.spi.CounterStore;
import io.counterkit.spi.Result;
import io.counterkit.spi.forward.ForwardingCounterStore;
import io.counterkit.verification.broken.flaw.Flaw;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Checks that the kit ends, and reports where, if a backend blocks a thread and ignores interrupts. */
@Isolated // its diagnosis shows all threads of the kit
class BlockingBackendTest {
    /** Rules whose tests read a counter. */
    private static final Set<String> RULES = Set.of("1.1", "1.2", "1.3", "1.7");

    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void endBlockedCalls() {
        end.countDown();
    }

    @Test
    @Tag("nightly")
    void callThatNeverReturns_endsTheKitWithADiagnosis() {
        Flaw blocking = Flaw.that("blocks every read", "1.1").counters(store -> new BlocksReads(store, end));
        ContractRun run = ContractRun.of(blocking, 3, rule -> RULES.contains(rule.value()));
        assertThat(run.messages().values())
                .filteredOn(message -> message.contains("did not end within 3 seconds"))
                .hasSize(3)
                .allSatisfy(message -> assertThat(message)
                        .contains(
                                "It is blocked in " + BlocksReads.class.getName() + ".read(",
                                "In the kit: io.counterkit.tck."));
        assertThat(run.messages().values())
                .as("the messages of the tests that did not run")
                .anyMatch(message -> message.contains("not run, because 3 earlier tests did not end"));
    }

    private static final class BlocksReads extends ForwardingCounterStore {
        private final CountDownLatch end;

        BlocksReads(CounterStore store, CountDownLatch end) {
            super(store);
            this.end = end;
        }

        @Override
        public CompletableFuture<List<Result<Reading>>> read(List<String> names, Duration maxStaleness, Call call) {
            while (end.getCount() > 0) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    // ignored on purpose
                }
            }
            return store.read(names, maxStaleness, call);
        }
    }
}
