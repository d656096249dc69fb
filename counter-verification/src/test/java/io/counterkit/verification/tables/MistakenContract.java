package io.counterkit.verification.tables;

import io.counterkit.tck.BackendFixture;
import io.counterkit.tck.CounterBackendContract;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The contract over a backend with one mistake. {@link MistakesTest} runs it; Surefire does not select its name. */
@ExtendWith(MistakenContract.MistakeParameter.class)
class MistakenContract extends CounterBackendContract {
    static final String MISTAKE = "counterkit.mistake";

    private final Mistake mistake;

    MistakenContract(Mistake mistake) {
        this.mistake = mistake;
    }

    @Override
    protected BackendFixture createFixture() {
        return new TableFixture(mistake);
    }

    /** Provides the mistake of this run. */
    static final class MistakeParameter implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Mistake.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Mistake.valueOf(context.getConfigurationParameter(MISTAKE).orElseThrow());
        }
    }
}
