package io.counterkit.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.counterkit.spi.ChangeTarget.Kind;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RolloutTest {
    private static final List<String> NAMES =
            IntStream.range(0, 10_000).mapToObj(i -> "posts/" + i + "/likes").toList();

    @Test
    void everyPercentageIncludesItsShare() {
        assertThat(having(Rollout.at(0), Kind.COUNTER)).isEmpty();
        assertThat(having(Rollout.at(100), Kind.COUNTER)).hasSameSizeAs(NAMES);
        for (int percent : new int[] {1, 10, 50, 99}) {
            assertThat((double) having(Rollout.at(percent), Kind.COUNTER).count())
                    .as("%s %%", percent)
                    .isCloseTo(percent * 100d, within(150d));
        }
    }

    @Test
    void includedNamesStayIncludedAtAHigherPercentage() {
        List<String> few = having(Rollout.at(10), Kind.SEQUENCE).toList();
        assertThat(having(Rollout.at(30), Kind.SEQUENCE).toList()).containsAll(few);
    }

    @Test
    void selectionIsTheSameInEveryProcessAndRelease() {
        assertThat(Stream.of("a", "b", "c", "invoices/2026", "ü")
                        .map(name -> IntStream.rangeClosed(0, 100)
                                .filter(percent -> Rollout.at(percent).includes(Kind.COUNTER, name))
                                .findFirst()
                                .orElseThrow()))
                .containsExactly(39, 37, 98, 37, 36);
    }

    @Test
    void counterAndSequenceOfOneNameAreSelectedIndependently() {
        Rollout half = Rollout.at(50);
        assertThat(NAMES.stream()
                        .filter(name -> half.includes(Kind.COUNTER, name) != half.includes(Kind.SEQUENCE, name))
                        .count())
                .isBetween(4_500L, 5_500L);
    }

    @Test
    void percentageChangesAtRunTime() {
        Rollout rollout = Rollout.at(0);
        rollout.set(100);
        assertThat(rollout.percent()).isEqualTo(100);
        assertThat(rollout.includes(Kind.COUNTER, "likes")).isTrue();
        rollout.set(0);
        assertThat(rollout.includes(Kind.COUNTER, "likes")).isFalse();
    }

    @Test
    void invalidPercentagesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Rollout.at(101)).withMessageContaining("101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rollout.at(0).set(-1))
                .withMessageContaining("-1");
    }

    private static Stream<String> having(Rollout rollout, Kind kind) {
        return NAMES.stream().filter(name -> rollout.includes(kind, name));
    }
}
