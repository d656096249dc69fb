package io.counterkit.benchmarks.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.counterkit.benchmarks.Arguments;
import io.counterkit.benchmarks.firestore.Bill.Units;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PricesTest {
    @Test
    void prices_areForAHundredThousandDocuments() {
        Prices prices = Prices.of(Arguments.of(new String[] {"prices=0.06,0.18,0.02"}, Prices.ARGUMENT));
        assertThat(prices.dollars(new Units(1, 100_000, 0, 0))).isEqualTo(0.06);
        assertThat(prices.dollars(new Units(1, 0, 100_000, 0))).isEqualTo(0.18);
        assertThat(prices.dollars(new Units(1, 0, 0, 100_000))).isEqualTo(0.02);
    }

    @Test
    void aCost_isForItsAddsAndScaled() {
        Cost cost = new Cost(10, new Units(10, 0, 20, 10), Prices.US_CENTRAL1);
        assertThat(cost.forThousand(cost.units().writes())).isEqualTo(2_000);
        assertThat(cost.dollars(100_000)).isCloseTo(0.19, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.06", "0.06,0.18", "a,b,c", "1,2,3,4"})
    void otherForms_areRefused(String prices) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prices.parse(prices))
                .withMessageStartingWith("prices \"" + prices + "\": use the dollars for 100,000 reads");
    }
}
