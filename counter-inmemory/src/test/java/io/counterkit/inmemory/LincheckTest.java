package io.counterkit.inmemory;

import io.counterkit.Counters;
import io.counterkit.IdempotencyToken;
import io.counterkit.spi.BatchLimits;
import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lincheck's random scenarios of several threads on one counter and one sequence: each has a legal order. The store in
 * memory alone, and below the batches that the other backends use. {@code -Dcounterkit.scenarios=…} sets how many
 * scenarios each test tries.
 */
@Tag("exhaustive")
@Timeout(300)
class LincheckTest {
    private static final int ITERATIONS = Integer.getInteger("counterkit.scenarios", 6);

    @Test
    void requestsThatAreSentAlone_areLinearizable() {
        check(Direct.class);
    }

    @Test
    void requestsThatWaitForABatch_areLinearizable() {
        check(Combined.class);
    }

    @Test
    void requestsThatACallerSendsForOthers_areLinearizable() {
        check(CallerRuns.class);
    }

    private static void check(Class<?> subject) {
        new StressOptions()
                .threads(3)
                .actorsPerThread(4)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(ITERATIONS)
                .invocationsPerIteration(100)
                .sequentialSpecification(Sequential.class)
                .check(subject);
    }

    /** The operations. */
    @Param(name = "delta", gen = IntGen.class, conf = "-3:3")
    @Param(name = "token", gen = IntGen.class, conf = "1:2")
    public abstract static class Subject {
        private final Counters counters;

        Subject(BatchLimits batches) {
            counters = Counters.over(InMemoryBackend.over(InMemoryStore.create(
                    InMemoryOptions.builder().batches(batches).build())));
        }

        @Operation
        public void add(@Param(name = "delta") int delta) {
            counters.counter("counter").add(delta);
        }

        @Operation
        public void addOnce(@Param(name = "token") int token) {
            counters.counter("counter").add(100L * token, IdempotencyToken.of("token " + token));
        }

        @Operation
        public long get() {
            return counters.counter("counter").get();
        }

        @Operation
        public void reset() {
            counters.counter("counter").reset();
        }

        @Operation
        public long next() {
            return counters.sequence("sequence").next();
        }

        @Operation
        public long nextOnce(@Param(name = "token") int token) {
            return counters.sequence("sequence")
                    .append(Map.of(), IdempotencyToken.of("append " + token))
                    .number();
        }

        @Operation
        public long last() {
            return counters.sequence("sequence").last();
        }
    }

    public static final class Direct extends Subject {
        public Direct() {
            super(BatchLimits.none());
        }
    }

    public static final class Combined extends Subject {
        public Combined() {
            super(BatchLimits.ofWeight(20).withInFlight(2));
        }
    }

    public static final class CallerRuns extends Subject {
        public CallerRuns() {
            super(BatchLimits.ofWeight(20).withOnePerName().withCallerRuns());
        }
    }

    /** What one thread alone observes. */
    public static final class Sequential {
        private final Map<Integer, Long> numbers = new HashMap<>();
        private final Map<Integer, Boolean> added = new HashMap<>();
        private long total;
        private long last;

        public void add(int delta) {
            total += delta;
        }

        public void addOnce(int token) {
            if (added.put(token, true) == null) {
                total += 100L * token;
            }
        }

        public long get() {
            return total;
        }

        public void reset() {
            total = 0;
        }

        public long next() {
            return ++last;
        }

        public long nextOnce(int token) {
            return numbers.computeIfAbsent(token, first -> ++last);
        }

        public long last() {
            return last;
        }
    }
}
