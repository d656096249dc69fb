package io.counterkit.spring.autoconfigure;

import io.counterkit.Counters;
import io.counterkit.spi.CounterBackend;
import java.util.Objects;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Fails the start of an application without a backend, and reports the reason, before a bean needs the backend. */
@Configuration(proxyBeanMethods = false)
final class NoBackendConfiguration {
    @Bean
    @ConditionalOnMissingBean({CounterBackend.class, Counters.class})
    static BeanFactoryPostProcessor missingBackend(Environment environment) {
        return beans -> {
            ClassLoader loader = Objects.requireNonNull(beans.getBeanClassLoader(), "class loader");
            throw BackendChoice.of(environment, loader).failure();
        };
    }
}
