package io.counterkit.verification.broken;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import io.counterkit.verification.broken.flaw.Flaw;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract over a backend with one flaw. {@link ContractRun} runs it; Surefire does not select its name. */
@ExtendWith(ContractRun.FlawParameter.class)
class FlawedContract extends CounterBackendContract {
    private final Flaw flaw;

    FlawedContract(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    protected BackendFixture createFixture() {
        return new FlawedFixture(flaw);
    }
}
