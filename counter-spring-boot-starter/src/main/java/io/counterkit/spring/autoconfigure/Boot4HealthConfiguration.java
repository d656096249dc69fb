package io.counterkit.spring.autoconfigure;

import io.counterkit.spi.CounterBackend;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health indicator for Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HealthIndicator.class)
final class Boot4HealthConfiguration {
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
