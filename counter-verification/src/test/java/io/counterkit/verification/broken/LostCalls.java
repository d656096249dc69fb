package io.counterkit.verification.broken;

import io.counterkit.spi.CounterBackend;
import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.BackendTests;
import io.counterkit.tck.FaultInjector;
import io.counterkit.tck.StoreFault;
import io.counterkit.tck.chapter.outcome.OutcomesChapter;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** A chapter on a fixture that loses calls instead of replies. Surefire does not select its name. */
class LostCalls extends BackendTests {
    @Override
    protected BackendFixture createFixture() {
        return new Careless(FlawedFixture.modest());
    }

    @Nested
    class Outcomes extends OutcomesChapter {}

    private record Careless(BackendFixture right) implements BackendFixture {
        @Override
        public CounterBackend connect() {
            return right.connect();
        }

        @Override
        public FaultInjector faults() {
            return (fault, call) ->
                    right.faults().inject(fault == StoreFault.LOSE_REPLY ? StoreFault.FAIL_BEFORE : fault, call);
        }

        @Override
        public Duration lag() {
            return right.lag();
        }

        @Override
        public void close() {
            right.close();
        }
    }
}
