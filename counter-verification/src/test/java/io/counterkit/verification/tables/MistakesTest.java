package io.counterkit.verification.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.counterkit.tck.Rule;
import io.counterkit.verification.broken.ContractRun;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Checks that the kit finds each mistake of a backend over tables, and accepts one without. */
class MistakesTest {
    @ParameterizedTest
    @EnumSource(
            names = {
                "ADDRESSES_CUT",
                "ORIGINS_CUT",
                "TOP_PREFIX_IS_A_PATTERN",
                "ENTRIES_IN_LOCAL_TIME",
                "SEAL_OVERWRITES"
            })
    void mistakeThatIsFoundSoon_isFoundByTheRulesThatItBreaks(Mistake mistake) {
        assertThat(run(mistake, rule -> mistake.breaks().contains(rule.value())).broken())
                .containsExactlyInAnyOrderElementsOf(mistake.breaks());
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = Mode.EXCLUDE)
    @Tag("nightly")
    void mistake_isFoundByTheRulesThatItBreaks(Mistake mistake) {
        mistakeThatIsFoundSoon_isFoundByTheRulesThatItBreaks(mistake);
    }

    @Test
    @Tag("nightly")
    void rightBackend_failsNoRule() {
        assertThat(run(Mistake.NONE, rule -> true).messages()).isEmpty();
    }

    private static ContractRun run(Mistake mistake, Predicate<Rule> wanted) {
        return ContractRun.of(MistakenContract.class, Map.of(MistakenContract.MISTAKE, mistake.name()), wanted);
    }
}
