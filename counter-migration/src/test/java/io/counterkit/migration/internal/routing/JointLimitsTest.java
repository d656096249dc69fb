package io.counterkit.migration.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.spi.BatchLimits;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JointLimitsTest {
    @Test
    void batchWithinTheJointLimitIsWithinBothLimits() {
        Random random = new Random(17);
        for (int round = 0; round < 1_000; round++) {
            int ofSource = 1 + random.nextInt(500);
            int ofTarget = 1 + random.nextInt(30);
            JointLimits joint = new JointLimits(BatchLimits.ofWeight(ofSource), BatchLimits.ofWeight(ofTarget));
            int most = joint.limits().maxWeight();
            int weight = 0;
            int atSource = 0;
            int atTarget = 0;
            while (true) {
                int source = 1 + random.nextInt(ofSource);
                int target = 1 + random.nextInt(ofTarget);
                int more = joint.weight(source, target);
                assertThat(more).isBetween(1, most);
                if (weight + more > most) {
                    break;
                }
                weight += more;
                atSource += source;
                atTarget += target;
            }
            assertThat(atSource).isLessThanOrEqualTo(ofSource);
            assertThat(atTarget).isLessThanOrEqualTo(ofTarget);
        }
    }

    @Test
    void storesWithoutALimitDoNotOverflow() {
        JointLimits joint =
                new JointLimits(BatchLimits.ofWeight(Integer.MAX_VALUE), BatchLimits.ofWeight(Integer.MAX_VALUE));
        assertThat(joint.limits().maxWeight()).isPositive();
        assertThat(joint.weight(Integer.MAX_VALUE, 1)).isEqualTo(joint.limits().maxWeight());
    }

    @Test
    void batchesHoldOneCounterAndRunOnTheCallerIfEitherStoreDoes() {
        BatchLimits either =
                new JointLimits(BatchLimits.none(), BatchLimits.ofWeight(9).withCallerRuns()).limits();
        assertThat(either.onePerName()).isTrue();
        assertThat(either.callerRuns()).isTrue();
        assertThat(either.direct()).isFalse();
        assertThat(new JointLimits(BatchLimits.none(), BatchLimits.none())
                        .limits()
                        .callerRuns())
                .isFalse();
    }
}
