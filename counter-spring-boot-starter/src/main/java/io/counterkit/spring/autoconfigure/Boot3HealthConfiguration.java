package io.counterkit.spring.autoconfigure;

import io.counterkit.spi.CounterBackend;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator for Spring Boot 3.5. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
final class Boot3HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "counterKitHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("counterkit")
    HealthIndicator counterKitHealthIndicator(CounterBackend backend, CounterKitProperties properties) {
        StoreCheck store = new StoreCheck(backend, properties.health());
        return () -> {
            StoreCheck.Finding finding = store.check();
            return Health.status(finding.state().name())
                    .withDetail("store", finding.reason())
                    .build();
        };
    }
}
