package io.counterkit.datastore.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.CounterException;
import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.datastore.fixture.StoreTest;
import java.util.ArrayList;
import java.util.List;

/** Operations whose calls fail. */
abstract class FaultSweepSetup extends StoreTest {
    final Counters counters = counters();

    /** An operation of a process, with assertions about its result. */
    interface Operation {
        /** Runs the operation as a caller that needs it applied once. */
        void run(Counters process, IdempotencyToken token);
    }

    static void untilApplied(Operation operation, Counters process) {
        IdempotencyToken token = IdempotencyToken.random();
        for (int attempt = 1; ; attempt++) {
            try {
                operation.run(process, token);
                return;
            } catch (CounterException e) {
                assertThat(attempt)
                        .as("attempts of one operation with one fault: %s", e)
                        .isLessThan(5);
            }
        }
    }

    static IdempotencyToken of(IdempotencyToken token) {
        return IdempotencyToken.of("add/" + token.value());
    }

    static List<Long> firstNumbers(long n) {
        List<Long> numbers = new ArrayList<>();
        for (long number = 1; number <= n; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
