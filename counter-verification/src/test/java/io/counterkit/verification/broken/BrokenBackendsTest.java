package io.counterkit.verification.broken;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit finds what is wrong, tells where, and has nothing to say against what is right. */
class BrokenBackendsTest {
    static List<Flaw> flaws() {
        return Flaws.all();
    }

    static List<Flaw> none() {
        return SealFlaws.none();
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void flaw_isFoundByItsRules(Flaw flaw) throws IOException {
        boolean whole = Boolean.getBoolean("whole");
        ContractRun run = ContractRun.of(
                FlawedContract.class, flaw, rule -> whole || flaw.breaks().contains(rule.value()));
        StringBuilder b = new StringBuilder("## " + flaw + " " + flaw.breaks() + "\n");
        run.failures().forEach((r, t) -> b.append(t.getMessage()).append("\n\n"));
        Files.writeString(
                Path.of("target/messages.txt"),
                b,
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.APPEND);
        Files.writeString(
                Path.of("target/table.txt"),
                flaw + " | " + flaw.breaks() + " | " + run.failures().keySet() + "\n",
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.APPEND);
        assertThat(run.failures().keySet()).containsAll(flaw.breaks());
    }

    @ParameterizedTest
    @MethodSource("none")
    void rightBackend_failsNoRule(Flaw none) {
        ContractRun run = ContractRun.of(FlawedContract.class, none, rule -> true);
        assertThat(run.failures()).isEmpty();
        assertThat(run.rules()).isGreaterThan(90);
    }
}
