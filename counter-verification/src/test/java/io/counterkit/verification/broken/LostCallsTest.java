package io.counterkit.verification.broken;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Checks that the kit finds a fixture whose faults are too kind: no backend could fail on it. */
class LostCallsTest {
    @Test
    void fixtureThatLosesCallsInsteadOfReplies_isFound() {
        ContractRun run = ContractRun.of(
                LostCalls.class,
                rule -> rule.value().equals("7.13") || rule.value().equals("7.12"));
        assertThat(run.broken()).containsExactly("7.13");
        assertThat(run.messages().get("7.13"))
                .contains("the fixture has to let the store carry out a call before it loses the reply");
    }
}
