package io.counterkit.spring.autoconfigure;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Compares the backend of a configuration with the chosen one. */
final class OnBackend extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        BackendName wanted = metadata.getAnnotations()
                .get(ConditionalOnBackend.class)
                .getValue("value", BackendName.class)
                .orElseThrow();
        BackendChoice choice = BackendChoice.of(
                context.getEnvironment(), Objects.requireNonNull(context.getClassLoader(), "class loader"));
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnBackend.class);
        BackendName chosen = choice.chosen();
        String found = chosen == null ? "no backend is chosen" : "the backend is " + chosen.value();
        return new ConditionOutcome(wanted == chosen, message.because(found));
    }
}
