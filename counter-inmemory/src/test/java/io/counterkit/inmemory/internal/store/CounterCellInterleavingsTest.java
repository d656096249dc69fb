package io.counterkit.inmemory.internal.store;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lincheck's model checker on one counter: it runs the interleavings of small scenarios one by one, and so finds what
 * hardly ever happens by chance, such as an add that is lost between a read and a write.
 */
@Tag("exhaustive")
@Timeout(300)
class CounterCellInterleavingsTest {
    @Test
    void everyInterleavingOfACounter_isLinearizable() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(Integer.getInteger("counterkit.scenarios", 50))
                .invocationsPerIteration(300)
                .sequentialSpecification(Sequential.class)
                .check(Subject.class);
    }

    /** The operations. */
    @Param(name = "delta", gen = IntGen.class, conf = "-3:3")
    public static final class Subject {
        private final CounterCell cell = new CounterCell("counter", new NameTable<>(CounterCell::new));

        @Operation
        public void add(@Param(name = "delta") int delta) {
            cell.addOrCreate(delta);
        }

        @Operation
        public long total() {
            return cell.total();
        }

        @Operation
        public void delete() {
            cell.delete();
        }
    }

    /** What one thread alone observes. */
    public static final class Sequential {
        private long total;

        public void add(int delta) {
            total += delta;
        }

        public long total() {
            return total;
        }

        public void delete() {
            total = 0;
        }
    }
}
