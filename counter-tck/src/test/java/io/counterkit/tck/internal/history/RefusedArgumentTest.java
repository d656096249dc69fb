package io.counterkit.tck.internal.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.spi.Limits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks the answers of calls whose arguments are out of range in every state. */
class RefusedArgumentTest {
    private final AtomicLong time = new AtomicLong();

    private static Stream<DynamicTest> each(LongConsumer test, long... arguments) {
        return LongStream.of(arguments)
                .mapToObj(argument -> DynamicTest.dynamicTest(String.valueOf(argument), () -> test.accept(argument)));
    }

    private static boolean isLegal(ObjectCalls<?> calls) {
        return Violation.check("it", calls.history()).violation() == null;
    }

    @TestFactory
    Stream<DynamicTest> erasureOfANumberThatIsNotAssigned_isRefused() {
        return each(this::checkErasure, 0, -1, 2, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private void checkErasure(long number) {
        SequenceCalls refusing = new SequenceCalls("it", time::incrementAndGet);
        refusing.erase(1, number).end(() -> {
            throw new IllegalArgumentException("no such entry");
        });
        assertThat(isLegal(refusing)).as("refused").isTrue();

        SequenceCalls accepting = new SequenceCalls("it", time::incrementAndGet);
        accepting.erase(1, number).end(() -> true);
        assertThat(isLegal(accepting)).as("accepted").isFalse();
    }

    @TestFactory
    Stream<DynamicTest> addOfADeltaOutOfRange_isRefused() {
        return each(this::checkRefusedAdd, Limits.MAX_DELTA + 1, -Limits.MAX_DELTA - 1, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private void checkRefusedAdd(long delta) {
        CounterCalls refusing = new CounterCalls("it", time::incrementAndGet);
        refusing.add(1, delta, null).end(() -> {
            throw new IllegalArgumentException("too large");
        });
        refusing.isListed(1).end(() -> false);
        assertThat(isLegal(refusing)).as("refused").isTrue();

        CounterCalls accepting = new CounterCalls("it", time::incrementAndGet);
        accepting.add(1, delta, null).end(() -> true);
        assertThat(isLegal(accepting)).as("accepted").isFalse();
    }

    @TestFactory
    Stream<DynamicTest> addOfADeltaInRange_isApplied() {
        return each(this::checkAppliedAdd, Limits.MAX_DELTA, -Limits.MAX_DELTA, 0);
    }

    private void checkAppliedAdd(long delta) {
        CounterCalls calls = new CounterCalls("it", time::incrementAndGet);
        calls.add(1, delta, null).end(() -> true);
        calls.read(1, "read").end(() -> delta);
        assertThat(isLegal(calls)).isTrue();
    }
}
