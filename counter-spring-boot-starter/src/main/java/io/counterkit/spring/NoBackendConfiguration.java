package io.counterkit.spring;

import io.counterkit.Counters;
import io.counterkit.spi.CounterBackend;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Ends the start of an application without a backend, and says why. */
@Configuration(proxyBeanMethods = false)
final class NoBackendConfiguration {
    @Bean
    @ConditionalOnMissingBean({CounterBackend.class, Counters.class})
    @SuppressWarnings("DoNotCallSuggester") // Spring calls it, to see it fail
    CounterBackend counterBackend(ApplicationContext application) {
        throw BackendChoice.of(
                        application.getEnvironment(),
                        Objects.requireNonNull(application.getClassLoader(), "class loader"))
                .failure();
    }
}
