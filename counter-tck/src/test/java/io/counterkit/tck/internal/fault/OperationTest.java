package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Every method of the SPI that calls the store has an entry in {@link Changes} or {@link Reads}. */
class OperationTest {
    @Test
    void everyOperationOfTheSpiIsSwept() {
        assertThat(Operation.swept())
                .as("methods of the SPI with an entry in Changes or Reads")
                .isEqualTo(Operation.ofTheSpi());
    }

    @Test
    void operationsAreFound() {
        assertThat(Operation.ofTheSpi())
                .contains("CounterBackend.resolve", "CounterStore.top", "SequenceStore.erase", "MigrationStore.copy");
    }
}
