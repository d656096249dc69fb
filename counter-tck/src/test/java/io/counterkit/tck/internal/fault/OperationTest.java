package io.counterkit.tck.internal.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Every method of the SPI that calls the store is disturbed by the kit; a new one needs an entry. */
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
